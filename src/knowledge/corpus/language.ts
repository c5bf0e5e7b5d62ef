export { languageOf } from "../language/detect.ts";
