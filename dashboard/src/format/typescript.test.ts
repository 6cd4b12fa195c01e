import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatCurl } from './curl.js'
import { formatTypescript } from './typescript.js'

const call = {
  operation: 'sendText',
  method: 'POST',
  base: 'https://gateway.example/wa',
  path: '/send/text',
  params: [],
  query: undefined,
  body: { number: '5511999990002', text: 'It\'s "x"\n`', 'odd name': [1, { deep: true }], left: undefined },
  files: new Map(),
  header: 'token',
} as const

describe('the code of the client library', () => {
  it('makes the same call with the same values', () => {
    const code = formatTypescript(call)
    assert.match(code, /createPosthorn\(\{ url: "https:\/\/gateway\.example\/wa", token: process\.env\.TOKEN/)
    const value = /sendText\(([\s\S]*)\)\)$/.exec(code)?.[1] ?? ''
    assert.equal(value.includes('left'), false)
    // JSON, but for bare names and commas at the ends.
    const json = value
      .replace(/^(\s*)\["(.*)"\]:/gm, '$1"$2":')
      .replace(/^(\s*)(\w+):/gm, '$1"$2":')
      .replace(/,(\s*[}\]])/g, '$1')
    assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(call.body)))
  })

  it('gives parameters of the path in their order, and the token of the administrator', () => {
    const code = formatTypescript({
      ...call,
      operation: 'rotateInstanceToken',
      params: ['i1'],
      body: {},
      header: 'admintoken',
    })
    assert.match(code, /adminToken: process\.env\.TOKEN/)
    assert.match(code, /posthorn\.rotateInstanceToken\("i1", \{\}\)/)
  })

  it('reads local files where their marks stand', () => {
    const code = formatTypescript({
      ...call,
      operation: 'sendMenu',
      body: { choices: ['{MARK}', 'plain'], file: 'MARK' },
      files: new Map([['MARK', { name: `it's.png` }]]),
    })
    assert.match(code, /import \{ readFile \} from 'node:fs\/promises'/)
    assert.ok(code.includes(`"{" + (await readFile("it's.png")).toString('base64') + "}",`), code)
    assert.ok(code.includes(`file: (await readFile("it's.png")).toString('base64'),`), code)
  })
})

describe('the line for a shell', () => {
  it('names the method that curl would not take, and sends no body where there is none', () => {
    assert.equal(
      formatCurl({ ...call, method: 'DELETE', path: '/instance', body: undefined }),
      `curl -X DELETE 'https://gateway.example/wa/instance' -H "token: $TOKEN"`,
    )
  })
})
