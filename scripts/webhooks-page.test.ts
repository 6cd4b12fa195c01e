/** The page for receivers: its bodies fit the schemas, and its programs check signatures. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats, { type FormatsPlugin } from 'ajv-formats'
import { keyOfSecret, newWebhookSecret, signatureHeaders } from '../runtime/delivery/signature.js'
import { eventKinds } from '../schemas/event-kinds.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import { testFolder } from '../test/support/embedded.js'
import { documentedEvents, webhooksPage } from '../test/support/webhooks-page.js'

interface Delivery {
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Runs the function of the page for each delivery, and prints a list of true and false. */
const PROGRAMS = [
  {
    block: 'js',
    file: 'verify.mjs',
    harness: `
import { readFileSync } from 'node:fs'
const deliveries = JSON.parse(readFileSync('deliveries.json', 'utf8'))
console.log(JSON.stringify(deliveries.map(({ secrets, headers, body }) => verify(secrets, headers, Buffer.from(body)))))
`,
    command: [process.execPath, 'verify.mjs'],
  },
  {
    block: 'python',
    file: 'verify.py',
    harness: `
import json
deliveries = json.load(open("deliveries.json", encoding="utf-8"))
print(json.dumps([verify(one["secrets"], one["headers"], one["body"].encode()) for one in deliveries]))
`,
    command: ['python3', 'verify.py'],
  },
  {
    block: 'php',
    file: 'verify.php',
    harness: `
$deliveries = json_decode(file_get_contents('deliveries.json'), true);
echo json_encode(array_map(fn ($one) => verify($one['secrets'], $one['headers'], $one['body']), $deliveries));
`,
    command: ['php', 'verify.php'],
  },
  {
    block: 'go',
    file: 'verify.go',
    others: {
      'go.mod': 'module verify\n\ngo 1.19\n',
      'main.go': `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	text, _ := os.ReadFile("deliveries.json")
	var deliveries []struct {
		Secrets []string
		Headers map[string]string
		Body    string
	}
	if err := json.Unmarshal(text, &deliveries); err != nil {
		panic(err)
	}
	found := []bool{}
	for _, one := range deliveries {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		found = append(found, Verify(one.Secrets, headers, []byte(one.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(found)
}
`,
    },
    harness: '',
    command: ['go', 'run', '.'],
  },
] as const

describe('the page about webhooks', () => {
  it('shows a body of every kind of event, and each fits its schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ;((formats as unknown as { default?: FormatsPlugin }).default ?? (formats as unknown as FormatsPlugin))(ajv)
    const { files } = loadSchemas()
    for (const { schema } of files) ajv.addSchema(schema as object)
    const events = documentedEvents()
    assert.deepEqual(events.map(({ EventType }) => EventType).toSorted(), [...eventKinds].sort())
    for (const event of events) {
      const file = `events/${event.EventType.replace('_', '-')}.json`
      const validate = ajv.getSchema(String(files.find((one) => one.file === file)?.schema.$id))
      assert.ok(validate, file)
      assert.ok(validate(event), `${event.EventType} ${JSON.stringify(validate.errors)}`)
    }
  })

  for (const { block, file, harness, command, ...more } of PROGRAMS)
    it(`checks signatures right with its ${block}`, (t) => {
      const folder = testFolder(t)
      const { deliveries, expected } = sixCases()
      writeFileSync(path.join(folder, 'deliveries.json'), JSON.stringify(deliveries))
      writeFileSync(path.join(folder, file), findBlock(block) + harness)
      for (const [name, text] of Object.entries('others' in more ? more.others : {}))
        writeFileSync(path.join(folder, name), text)
      const output = runs(t, command, folder)
      if (output !== undefined) assert.deepEqual(JSON.parse(output), expected)
    })

  it('checks signatures right with its openssl', (t) => {
    const folder = testFolder(t)
    const { deliveries, expected } = sixCases()
    const script = path.join(folder, 'verify.sh')
    writeFileSync(script, findBlock('sh', 'openssl dgst'))
    for (const [index, { secrets, headers, body }] of deliveries.entries()) {
      writeFileSync(path.join(folder, 'body'), body)
      const output = runs(t, ['sh', script], folder, {
        SECRET: secrets[0] ?? '',
        ID: headers['webhook-id'] ?? '',
        TIME: headers['webhook-timestamp'] ?? '',
        SIGNATURES: headers['webhook-signature'] ?? '',
      })
      if (output === undefined) return
      assert.equal(output.trim(), expected[index] ? 'yes' : 'no', `case ${index}`)
    }
  })
})

/** Deliveries as the gateway signs them, and wrong ones, with the answers that are right. */
function sixCases(): { deliveries: Delivery[]; expected: boolean[] } {
  const secret = newWebhookSecret()
  const body = JSON.stringify({ EventType: 'messages', message: { text: 'Olá, ação 🎺' } })
  const nowSeconds = Math.floor(Date.now() / 1000)
  const signed = (atSeconds = nowSeconds) => signatureHeaders(keyOfSecret(secret), 'id-1', atSeconds, body)
  const headers = signed()
  const two = `v1,${Buffer.alloc(32, 1).toString('base64')} ${headers['webhook-signature']}`
  const without = (name: string) => ({ ...headers, [name]: '' })
  const cases: (readonly [boolean, Delivery])[] = [
    [true, { secrets: [secret], headers, body }],
    [true, { secrets: [secret], headers: { ...headers, 'webhook-signature': two }, body }],
    [false, { secrets: [secret], headers, body: `${body} ` }],
    [false, { secrets: [newWebhookSecret()], headers, body }],
    [false, { secrets: [secret], headers: signed(nowSeconds - 600), body }],
    [false, { secrets: [secret], headers: signed(nowSeconds + 600), body }],
    ...Object.keys(headers).map((name) => [false, { secrets: [secret], headers: without(name), body }] as const),
  ]
  return { deliveries: cases.map(([, delivery]) => delivery), expected: cases.map(([isRight]) => isRight) }
}

function findBlock(language: string, holds = ''): string {
  const found = [...webhooksPage().matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
    ([, name, text = '']) => name === language && text.includes(holds),
  )
  return found?.[2] ?? assert.fail(`docs/guides/webhooks.md has no ${language}.`)
}

/** Returns the output of a command; skips the test if it is not installed. */
function runs(
  t: TestContext,
  [program, ...given]: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, given, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return void t.skip(`${program} is not installed`)
  assert.equal(status, 0, stderr)
  return stdout
}
