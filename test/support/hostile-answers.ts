/** JSON answers of a server that a tenant names, each made to cost as much as possible for its size. For tests. */

export interface HostileAnswer {
  readonly kind: string
  readonly json: string
}

/** Returns one answer of each kind, with at most so many bytes. */
export function hostileAnswers(bytes: number): readonly HostileAnswer[] {
  const many = (one: (index: number) => string, open = '[', close = ']') => fill(bytes, one, open, close)
  return [
    { kind: 'empty arrays', json: many(() => '[]') },
    { kind: 'empty objects', json: many(() => '{}') },
    { kind: 'zeros', json: many(() => '0') },
    { kind: 'short texts', json: many((index) => `"a${index}"`) },
    { kind: 'an object of each shape', json: many((index) => `{"a${index}":0}`) },
    { kind: 'many keys', json: many((index) => `"a${index}":0`, '{', '}') },
    { kind: 'sparse numbers as keys', json: many((index) => `"${(index * 65_536 * 7) % 4_294_967_294}":0`, '{', '}') },
    { kind: 'deep arrays', json: '['.repeat(bytes / 2) + ']'.repeat(bytes / 2) },
    { kind: 'deep objects', json: `${'{"a":'.repeat(bytes / 6)}0${'}'.repeat(bytes / 6)}` },
    { kind: 'one long text', json: `"${'a'.repeat(bytes - 2)}"` },
    { kind: 'one text of escapes', json: `"${'\\u20ac'.repeat((bytes - 2) / 6)}"` },
    { kind: 'one long number', json: '1'.repeat(bytes) },
    { kind: 'spaces', json: `${' '.repeat(bytes - 1)}0` },
    { kind: 'a quote that never ends', json: `["${'\\"'.repeat((bytes - 2) / 2)}` },
    { kind: 'choices', json: many(() => '{}', '{"choices":[', ']}') },
    {
      kind: 'calls',
      json: many(
        (index) => `{"id":"${index}","type":"function","function":{"name":"f","arguments":"{}"}}`,
        '{"choices":[{"message":{"role":"assistant","tool_calls":[',
        ']},"finish_reason":"tool_calls"}]}',
      ),
    },
    {
      kind: 'a long answer',
      json: `{"choices":[{"message":{"role":"assistant","content":"${'\\u20ac'.repeat((bytes - 100) / 6)}"},"finish_reason":"stop"}]}`,
    },
    { kind: 'vectors', json: many(() => '{"index":0,"embedding":[0.1]}', '{"data":[', ']}') },
    { kind: 'one vector', json: many(() => '0.12345678', '{"data":[{"index":0,"embedding":[', ']}]}') },
    { kind: 'a list', json: many((index) => `{"id":${index + 1},"meta":{"sender":{"id":1}}}`, '{"payload":[', ']}') },
    { kind: 'errors', json: many(() => '"no"', '{"errors":[', ']}') },
    { kind: 'an error', json: `{"error":{"message":"${'temperature unsupported '.repeat((bytes - 100) / 24)}"}}` },
  ]
}

function fill(bytes: number, one: (index: number) => string, open: string, close: string): string {
  const items: string[] = []
  for (let length = open.length + close.length, index = 0; ; index += 1) {
    const item = one(index)
    length += item.length + 1
    if (length > bytes) return open + items.join(',') + close
    items.push(item)
  }
}
