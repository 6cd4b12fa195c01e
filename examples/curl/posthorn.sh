# Calls the gateway with curl: post PATH JSON [KEY], get PATH, field NAME. With a key a lost answer is asked for again, and nothing is sent twice.

post() {
  if [ -n "${3:-}" ]; then set -- "$1" "$2" --retry 4 --retry-connrefused -H "idempotency-key: $3"; else set -- "$1" "$2"; fi
  path=$1 body=$2
  shift 2
  printf %s "$body" | curl -sS --fail-with-body "$@" "$POSTHORN_URL$path" -H "token: $POSTHORN_TOKEN" -H 'content-type: application/json' --data-binary @-
}

get() { curl -sS --fail-with-body --retry 4 "$POSTHORN_URL$1" -H "token: $POSTHORN_TOKEN"; }

# Takes the first text or number with this name from JSON. With jq installed, `jq -r .name` is better.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" | head -n 1; }
