#!/bin/sh
# Packs the three npm packages into OUT (dist/release), and publishes them. Needs a build.
set -eu
cd "$(dirname "$0")/../.."
. scripts/release/version.sh
out=${OUT:-dist/release}
rm -rf "$out"
mkdir -p "$(dirname "$out")"
node dist/scripts/pack.js "$out"
npm pack --workspace clients/typescript --workspace clients/n8n --pack-destination "$out"
for package in posthorn posthorn-client n8n-nodes-posthorn; do
  [ -f "$out/$package-$version.tgz" ] || { echo "There is no $package-$version.tgz." >&2; exit 1; }
done
for package in posthorn-client n8n-nodes-posthorn posthorn; do npm publish "$out/$package-$version.tgz" --access public --provenance; done
