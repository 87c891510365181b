# syntax=docker/dockerfile:1
# The packages and the bundles come from a first stage, so that the image has neither npm's cache nor what only tests use.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /opt/octavo
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY LICENSE NOTICE octavo ./
COPY deploy/backup.sh ./deploy/
COPY docs ./docs
COPY tools ./tools
COPY src ./src
RUN node tools/program.ts && node tools/web.ts

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=700 /var/lib/octavo
WORKDIR /opt/octavo
COPY --from=build /opt/octavo ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 OCTAVO_HOME=/var/lib/octavo
VOLUME /var/lib/octavo
USER node
EXPOSE 4000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/cli/main.js", "serve"]
