import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { formatN8nNode } from './n8n.js'
import { formatPhp } from './php.js'
import { formatPython } from './python.js'

const call = {
  operation: 'sendText',
  method: 'POST',
  base: 'https://gateway.example/wa',
  path: '/send/text',
  params: [],
  query: undefined,
  body: {
    number: '5511999990002',
    text: 'It\'s "x" \\ $y\n`',
    yes: true,
    no: null,
    list: [1, { deep: '{{ 1 }}' }],
    left: undefined,
  },
  files: new Map(),
  header: 'token',
} as const
const sent = JSON.parse(JSON.stringify(call.body)) as unknown
const has = (program: string) => spawnSync(program, ['--version']).status === 0

describe('a call in other languages', () => {
  it('has the same body in Python', { skip: !has('python3') }, () => {
    const code = formatPython(call)
    const body = code.slice(code.indexOf('body = '), code.indexOf('request = '))
    const shown = execFileSync('python3', ['-c', `import json\n${body}\nprint(json.dumps(body))`]).toString()
    assert.deepEqual(JSON.parse(shown), sent)
    assert.match(code, /headers=\{"token": os\.environ\["TOKEN"\], "Content-Type": "application\/json"\}/)
  })

  it('has the same body in PHP', { skip: !has('php') }, () => {
    const code = formatPhp(call)
    const body = code.slice(code.indexOf('$body = '), code.indexOf('$request = '))
    assert.deepEqual(JSON.parse(execFileSync('php', ['-r', `${body} echo json_encode($body);`]).toString()), sent)
  })

  it('is quoted in PHP so that no text ends early', () => {
    assert.ok(formatPhp(call).includes(`'text' => 'It\\'s "x" \\\\ $y\n\`',`))
    assert.ok(formatPhp({ ...call, body: {} }).includes('$body = new stdClass();'))
  })

  it('sends no body where there is none', () => {
    const read = { ...call, method: 'GET', path: '/instance/status', body: undefined }
    for (const code of [formatPython(read), formatPhp(read), formatN8nNode(read)]) {
      assert.doesNotMatch(code, /body|Content-Type/i)
      assert.ok(code.includes('https://gateway.example/wa/instance/status'))
    }
  })

  it('is a node for n8n with the token from its environment', () => {
    const { nodes } = JSON.parse(formatN8nNode(call)) as { nodes: { parameters: Record<string, unknown> }[] }
    const parameters = nodes[0]?.parameters
    assert.deepEqual(JSON.parse(String(parameters?.jsonBody)), sent)
    assert.deepEqual([parameters?.method, parameters?.url], ['POST', 'https://gateway.example/wa/send/text'])
    assert.match(JSON.stringify(parameters?.headerParameters), /POSTHORN_TOKEN/)
  })
})
