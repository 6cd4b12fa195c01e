#!/bin/sh
# Joins the images of both processors under one tag each. `latest` is the newest release.
set -eu
cd "$(dirname "$0")/../.."
. scripts/release/version.sh
name=${IMAGE:-localhost/posthorn}
join() {
  docker buildx imagetools create --tag "$name:$1" "$name:$2-amd64" "$name:$2-arm64"
}
echo "$name:$version, $name:$version-slim and $name:latest"
echo "$REGISTRY_TOKEN" | docker login --username "$REGISTRY_USER" --password-stdin "${IMAGE%%/*}" && join "$version" "$version" && join "$version-slim" "$version-slim" && join latest "$version"
