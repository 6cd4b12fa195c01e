#!/bin/sh
# Builds the image for the processor of this machine, and pushes it: `full` has ffmpeg, `slim` has none.
set -eu
cd "$(dirname "$0")/../.."
. scripts/release/version.sh
case ${1:-full} in
  full) tag=$version ffmpeg=ffmpeg ;;
  slim) tag=$version-slim ffmpeg= ;;
  *) echo "usage: scripts/release/image.sh full|slim" >&2; exit 2 ;;
esac
name=${IMAGE:-localhost/posthorn}:$tag-${PROCESSOR:-amd64}
# For buildah, whose own form has no health check.
export BUILDAH_FORMAT=docker
builder=${BUILDER:-$(command -v docker || command -v buildah)}
"$builder" build --build-arg "FFMPEG=$ffmpeg" ${BASE:+--build-arg "BASE=$BASE"} --label "org.opencontainers.image.version=$version" --tag "$name" .
echo "$REGISTRY_TOKEN" | "$builder" login --username "$REGISTRY_USER" --password-stdin "${IMAGE%%/*}" && "$builder" push "$name"
