import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const languages = { bash, ini, javascript, json, nginx, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/**
 * Highlights code with class names that the style sheet colours, because the pages' policy forbids inline styles.
 * Undefined for an unknown language.
 */
export const highlighted = (code: string, language: string): string | undefined =>
  highlighter.getLanguage(language) && highlighter.highlight(code, { language, ignoreIllegals: true }).value;
