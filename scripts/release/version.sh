# Sets `version` for the other scripts of this folder. With the tag of a release (GITHUB_REF_NAME), fails unless it names that version.
version=$(node -p "require('./package.json').version" 2>/dev/null || sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
case ${GITHUB_REF_NAME:-} in
  v*)
    if [ "$GITHUB_REF_NAME" != "v$version" ]; then
      echo "The tag is $GITHUB_REF_NAME, and package.json has the version $version." >&2
      exit 1
    fi
    ;;
esac
