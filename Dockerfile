# docker build -t assay . && docker run -p 127.0.0.1:8787:8787 -v assay:/var/lib/assay assay
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npx --yes bun@1.4.5 install --frozen-lockfile && npx --yes bun@1.4.5 run build

FROM debian:bookworm-slim
COPY --from=build /src/dist/assay /usr/local/bin/assay
COPY --from=build /src/dist/LICENSES.txt /usr/share/doc/assay/LICENSES.txt
RUN install -d -m 700 -o 65532 -g 65532 /var/lib/assay
USER 65532:65532
# Inside, every address is the container's; publish the port to those who may reach it.
ENV ASSAY_HOST=0.0.0.0 ASSAY_DATA=/var/lib/assay
VOLUME /var/lib/assay
WORKDIR /var/lib/assay
EXPOSE 8787
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${ASSAY_PORT:-8787} && printf 'GET /ready HTTP/1.0\\r\\nHost: 127.0.0.1\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["assay"]
CMD ["serve"]
