/** Bodies of the largest size allowed, each made to cost as much as possible before it is refused. For a test and a bench. */

export interface HostileBody {
  readonly kind: string
  readonly path: string
  readonly json: string
}

/** Returns one body of each kind. `bytes` is the limit of a body. */
export function hostileBodies(bytes: number): readonly HostileBody[] {
  const room = bytes - 200
  const number = '"number":"5511999990002"'
  const filled = (one: (index: number) => string): string => {
    const parts: string[] = []
    for (let length = 0, index = 0; ; index++) {
      const part = one(index)
      length += part.length + 1
      if (length > room) return parts.join(',')
      parts.push(part)
    }
  }
  const text = (value: string, path = '/send/text') => ({ path, json: `{${number},"text":${JSON.stringify(value)}}` })
  return [
    {
      kind: 'short choices',
      path: '/send/menu',
      json: `{${number},"type":"poll","text":"a","choices":[${filled(() => '"x"')}]}`,
    },
    {
      kind: 'empty choices',
      path: '/send/menu',
      json: `{${number},"type":"poll","text":"a","choices":[${filled(() => '{}')}]}`,
    },
    { kind: 'choices that are numbers', path: '/send/menu', json: `{${number},"choices":[${filled(() => '1')}]}` },
    {
      kind: 'long choices',
      path: '/send/menu',
      json: `{${number},"type":"poll","text":"a","choices":["${'x'.repeat(room)}"]}`,
    },
    {
      kind: 'cards',
      path: '/send/carousel',
      json: `{${number},"text":"a","carousel":[${filled(() => '{"text":1,"buttons":[{}]}')}]}`,
    },
    { kind: 'unknown keys', path: '/send/text', json: `{${number},"text":"a",${filled((index) => `"k${index}":0`)}}` },
    { kind: 'one key again and again', path: '/send/text', json: `{${number},"text":"a",${filled(() => '"k":0')}}` },
    { kind: 'empty arrays', path: '/send/text', json: `{${number},"x":[${filled(() => '[]')}]}` },
    { kind: 'deep arrays', path: '/send/text', json: `{${number},"x":${'['.repeat(room / 2)}${']'.repeat(room / 2)}}` },
    {
      kind: 'deep objects',
      path: '/send/text',
      json: `{${number},"x":${'{"a":'.repeat(room / 6)}1${'}'.repeat(room / 6)}}`,
    },
    { kind: 'a long text', ...text('x'.repeat(room)) },
    { kind: 'a long text of emoji', ...text('🙂'.repeat(room / 4)) },
    { kind: 'a text of escapes', path: '/send/text', json: `{${number},"text":"${'\\u0041'.repeat(room / 6)}"}` },
    {
      kind: 'half a character at the end',
      path: '/send/text',
      json: `{${number},"text":"${'é'.repeat(room / 2 - 10)}\\ud83d"}`,
    },
    { kind: 'a long number', path: '/send/text', json: `{"number":"${'5'.repeat(room)}","text":"a"}` },
    { kind: 'a long key', path: '/send/text', json: `{${number},"text":"a","${'k'.repeat(room)}":0,"x":"\\u0000"}` },
    { kind: 'a long URL', path: '/webhook', json: `{"url":"https://${'a.'.repeat(room / 2)}","events":["messages"]}` },
    {
      kind: 'kinds of events',
      path: '/webhook',
      json: `{"url":"https://example.org","events":[${filled(() => '"x"')}]}`,
    },
    { kind: 'numbers to check', path: '/chat/check', json: `{"numbers":[${filled((index) => `"${index}"`)}]}` },
    { kind: 'a filter of a search', path: '/chat/find', json: `{"wa_name":"~${'%'.repeat(room)}"}` },
    { kind: 'no JSON at its end', path: '/send/text', json: `{${number},"text":"a","x":[${filled(() => '1')}` },
    // At the limits of its shape, and wrong everywhere.
    {
      kind: '4,900 unknown keys',
      path: '/send/text',
      json: `{${many(4_900, (index) => `"${'k'.repeat(150)}${index}":[1]`)}}`,
    },
    { kind: '19,000 choices', path: '/send/menu', json: `{${number},"choices":[${many(19_000, () => '1')}]}` },
    { kind: '9,000 objects', path: '/send/menu', json: `{${number},"choices":[${many(9_000, () => '{}')}]}` },
  ]
}

function many(count: number, one: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => one(index)).join(',')
}
