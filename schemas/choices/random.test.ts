import assert from 'node:assert/strict'
import { it } from 'node:test'
import { chooseSeed, seededRandom } from '../../test/durability/random.js'
import { GatewayError } from '../errors.js'
import { fallbackText } from './fallback.js'
import { fillMenu } from './fill.js'
import type { MenuType } from './menu.js'
import { parseMenu } from './parse.js'

const types: readonly MenuType[] = ['button', 'list', 'poll', 'carousel']
/** Parts of the language, and inputs that tend to break parsers. */
const pieces = [
  ...[
    '|',
    '\n',
    '\r',
    '\r\n',
    '\\',
    '[',
    ']',
    '{',
    '}',
    '{{',
    '}}',
    '{{name}}',
    ' ',
    '\t',
    '\u00a0',
    '\u0000',
    '\ud83d',
  ],
  ...[
    'copy:',
    'call:',
    'url:',
    'https://',
    'http://a.b',
    'data:',
    ';base64,',
    '+55',
    '11999999999',
    'a',
    'é',
    '😀',
    '__proto__',
  ],
]

it('random choices become a menu or a refusal with its fields, nothing else', (t) => {
  const random = seededRandom(chooseSeed(t))
  const next = (below: number): number => Math.floor(random() * below)
  const word = (): string => Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('')
  let taken = 0
  for (let round = 0; round < 20_000; round += 1) {
    const request = {
      type: types[next(types.length)] as MenuType,
      text: next(20) === 0 ? word() : 'T',
      choices: Array.from({ length: next(6) }, word),
      ...(next(4) === 0 ? { imageButton: word() } : {}),
      ...(next(4) === 0 ? { footerText: word() } : {}),
      ...(next(4) === 0 ? { selectableCount: next(5) } : {}),
    }
    const given = JSON.stringify(request)
    try {
      const { menu, warnings } = parseMenu(request)
      taken += 1
      assert.equal(menu.type, request.type, given)
      assert.equal(JSON.stringify(request), given)
      // A number or an address with a placeholder in it is none before that is filled.
      if (!/"(url|phone)":"[^"]*\{\{/.test(JSON.stringify(menu)))
        assert.deepEqual(
          fillMenu(menu, (text) => text),
          menu,
          given,
        )
      assert.ok(fallbackText(menu).length > 0, given)
      assert.ok(warnings.every((warning) => warning.length < 1000) && warnings.length < 100, given)
    } catch (error) {
      assert.ok(error instanceof GatewayError, `${given}: ${error}`)
      assert.equal(error.code, 'INVALID_REQUEST')
      const details = error.details as { field: string; why: string }[]
      assert.ok(details.length > 0 && details.every(({ field, why }) => field !== '' && why !== ''), given)
    }
  }
  // Both outcomes are seen, else the test proves little.
  assert.ok(taken > 2000 && taken < 18_000, `${taken} of 20000 were taken`)
})

it('a choice of megabytes is read in a moment', () => {
  const started = process.cpuUsage()
  for (const piece of ['[', '{', '\\', '|', '{{', 'a', '{{a', ' ', 'data:'])
    for (const type of types) {
      try {
        parseMenu({ type, text: 'T', choices: ['[c]', piece.repeat(1_000_000), 'A'] })
      } catch (error) {
        assert.ok(error instanceof GatewayError, String(error))
      }
    }
  const { user } = process.cpuUsage(started)
  // Reading is linear: 36 menus of a megabyte or more. A reader that went back over its input would take minutes.
  assert.ok(user < 20_000_000, `${user / 1000} ms of CPU`)
})
