# The image of a node: `docker run -p 3000:3000 -v posthorn:/data IMAGE` is a gateway with all that it needs. It holds the program, a Redis and
# ffmpeg; with DATABASE_URL and REDIS_URL set nothing but the program runs and nothing is written. Its steps are in scripts/image.sh, which a test runs and starts from; another builds and runs this file
# (`npm run test:long -- scripts/dockerfile`), with buildah.
# The newest long-term version that .ci/run tests.
ARG NODE_VERSION=24
# A Debian with Node.js and npm: a copy of the official one in a registry of yours, for example.
ARG BASE=docker.io/library/node:${NODE_VERSION}-bookworm-slim
ARG POSTGRES=docker.io/library/postgres:17-bookworm

FROM ${BASE} AS build
WORKDIR /build
# Apart from the sources, so that they are fetched again only when they change.
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
COPY clients/n8n/package.json clients/n8n/
RUN npm ci
COPY . .
# With what it is made of: /app/sbom.cdx.json (CycloneDX).
RUN npm run build && scripts/image.sh /build/image && npm sbom --sbom-format cyclonedx --omit dev > /build/image/sbom.cdx.json

# For backups of an external PostgreSQL, which need its own pg_dump (`docker build --target backup`); a version that is not older than your server.
FROM ${POSTGRES} AS backup
RUN install --directory --owner 10001 --group 10001 --mode 700 /backups /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/image /app
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/tmp/posthorn
USER 10001:10001
ENTRYPOINT []
CMD ["node", "dist/backup.js", "backup", "--in", "/backups"]

FROM ${BASE}
# Converts voice messages, videos and stickers. Empty for the tag -slim, which sends files as they are.
ARG FFMPEG=ffmpeg
LABEL org.opencontainers.image.title="Posthorn" \
  org.opencontainers.image.description="A clustered WhatsApp gateway: one HTTP/JSON API over many connected accounts." \
  org.opencontainers.image.licenses="MIT AND GPL-3.0-only" \
  org.opencontainers.image.documentation="https://posthorn.example/"
# Redis is for nodes without REDIS_URL only; a few MB, instead of a download at their first start. Updates of the system's packages come with it.
RUN apt-get update && apt-get upgrade --yes && apt-get install --yes --no-install-recommends redis-server ${FFMPEG} \
  && apt-get clean && rm -rf /var/lib/apt/lists/*
# PostgreSQL does not start for a user without a name. k8s/base/deployment.yaml names the same number.
RUN useradd --uid 10001 --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin posthorn \
  && install --directory --owner posthorn --group posthorn --mode 700 /data
# Root's, so that the program cannot change itself, whatever the root file system is mounted as.
COPY --from=build /build/image /app
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data/posthorn MALLOC_ARENA_MAX=2 HEALTH_PORT=3900
USER 10001:10001
EXPOSE 3000 3001 3900
# A thread answers there, also while the event loop is blocked; 503 when it is blocked for too long (docs/operations/handbook.md, "A blocked event loop").
HEALTHCHECK --interval=10s --timeout=5s --start-period=300s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Process 1 itself: it gets SIGTERM, and hands over what it has.
# Why these options: docs/decisions/0034-options-of-v8.md.
ENTRYPOINT ["node", "--min-semi-space-size=4", "--max-semi-space-size=16", "--initial-old-space-size=40", "dist/main.js"]
