import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fallbackText as gatewaysFallbackText } from '../../../../schemas/choices/fallback.js'
import type { MenuType } from '../../../../schemas/choices/menu.js'
import { parseMenu } from '../../../../schemas/choices/parse.js'
import { formatCurl } from '../../format/curl.js'
import { makeContent } from './content.js'
import { type ButtonAction, type Draft, makeDraft, makeRowKey } from './draft.js'
import { makeFallbackText } from './fallback-text.js'
import { fillBody } from './filled-body.js'
import { listFittingNames, openPlaceholder } from './placeholders.js'
import { makeNoOptions, makeSendCall } from './request.js'

/** Texts that hold what the notation uses. */
const AWKWARD = [
  'Yes',
  '[Phones]',
  '{a, b}',
  '{{name}}',
  'a|b',
  'a\\|b',
  'C:\\',
  '\\\\[x]\\',
  'two\nlines',
  'two\r\nlines',
  '[A] and [B]',
  'it\'s "x"',
]

const makeTestButton = (text: string, does: ButtonAction = 'reply', value = '') => ({
  key: makeRowKey(),
  text,
  does,
  value,
})

function parseDraft(draft: Draft) {
  const { fields } = makeContent(draft)
  const { text, choices, footerText, listButton, selectableCount, imageButton } = fields as Record<string, string>
  const more = Object.fromEntries(
    Object.entries({ footerText, listButton, selectableCount, imageButton }).filter(([, value]) => value !== undefined),
  )
  return parseMenu({
    type: draft.kind as MenuType,
    text: text ?? '',
    choices: choices as unknown as string[],
    ...more,
  }).menu
}

describe('the choices that the builders write', () => {
  it('are read by the gateway as they were typed', () => {
    for (const text of AWKWARD) {
      const menu = parseDraft({
        ...makeDraft('button'),
        text: 'Which?',
        buttons: [makeTestButton(text, 'reply', `id ${text}`), makeTestButton(text)],
      })
      assert.equal(menu.type, 'button')
      assert.deepEqual(
        menu.buttons.map((one) => one.kind === 'reply' && [one.text, one.id]),
        [
          [text, `id ${text}`],
          [text, text],
        ],
      )
      const copied = parseDraft({ ...makeDraft('button'), text: 'Pay', buttons: [makeTestButton(text, 'copy', text)] })
      assert.deepEqual(copied.type === 'button' && copied.buttons, [
        { at: 'choices[0]', text, kind: 'copy', code: text },
      ])
      const list = parseDraft({
        ...makeDraft('list'),
        text: 'Which?',
        sections: [
          { key: '1', title: '', rows: [{ key: '1', text, id: '', description: text }] },
          { key: '2', title: text, rows: [{ key: '1', text, id: 'x', description: '' }] },
        ],
      })
      assert.deepEqual(list.type === 'list' && list.sections, [
        { title: '', rows: [{ at: 'choices[0]', text, id: text, description: text }] },
        { title: text, rows: [{ at: 'choices[2]', text, id: 'x' }] },
      ])
      const cards = parseDraft({
        ...makeDraft('carousel'),
        text: 'Look',
        cards: [
          {
            key: '1',
            text,
            shows: 'image',
            file: { from: 'url', url: 'https://example.com/a.png' },
            buttons: [makeTestButton(text, 'url', 'https://example.com/?a=1|2')],
          },
        ],
      })
      assert.ok(cards.type === 'carousel')
      const [card] = cards.cards
      assert.equal(card?.text, text)
      assert.deepEqual(card?.media?.source, { from: 'url', url: 'https://example.com/a.png' })
      assert.deepEqual(
        card?.buttons.map((one) => one.kind === 'url' && [one.text, one.url]),
        [[text, 'https://example.com/?a=1|2']],
      )
    }
  })

  it('have the text of the gateway for clients that draw no menu', () => {
    const buttons = [
      makeTestButton('Yes'),
      makeTestButton('Site', 'url', 'https://example.com'),
      makeTestButton('Ring', 'call', '+55 (11) 4000-1000'),
      makeTestButton('Code', 'copy', 'A|1'),
    ]
    const drafts: Draft[] = [
      { ...makeDraft('button'), text: 'Which?', footer: 'Shop', buttons },
      {
        ...makeDraft('list'),
        text: 'Which?',
        footer: 'Shop',
        sections: [
          { key: '1', title: '', rows: [{ key: '1', text: 'A', id: '', description: '' }] },
          { key: '2', title: 'More', rows: [{ key: '1', text: 'B', id: '', description: 'small' }] },
        ],
      },
      {
        ...makeDraft('poll'),
        text: 'Which?',
        options: [
          { key: '1', text: 'A' },
          { key: '2', text: 'B' },
        ],
      },
      {
        ...makeDraft('carousel'),
        text: 'Look',
        cards: [
          { key: '1', text: 'A', shows: 'image', file: null, buttons: buttons.slice(0, 3) },
          { key: '2', text: 'B', shows: 'image', file: null, buttons: [makeTestButton('Yes', 'reply', 'y')] },
        ],
      },
    ]
    for (const draft of drafts)
      assert.equal(makeFallbackText(draft), gatewaysFallbackText(parseDraft(draft)), draft.kind)
  })
})

describe('a carousel with videos and documents', () => {
  it('goes by its own operation, and each refused field has its place in the builder', async () => {
    const file = (name: string) => ({ from: 'file' as const, name, blob: new Blob(['bytes']) })
    const card = { key: '1', text: 'A', buttons: [makeTestButton('Buy', 'url', 'https://example.com')] }
    const cards = [
      { ...card, shows: 'video' as const, file: { from: 'url' as const, url: ' https://example.com/a.mp4 ' } },
      { ...card, shows: 'document' as const, file: file('list.pdf') },
      { ...card, shows: 'image' as const, file: null },
    ]
    const call = makeSendCall({ ...makeDraft('carousel'), text: 'Look', cards }, '5511999990002', makeNoOptions('UTC'))
    assert.deepEqual([call.operation, call.path], ['sendCarousel', '/send/carousel'])
    const buttons = [{ text: 'Buy', type: 'URL', id: 'https://example.com' }]
    assert.deepEqual(await fillBody(call.body, call.files), {
      number: '5511999990002',
      text: 'Look',
      carousel: [
        { text: 'A', video: 'https://example.com/a.mp4', buttons },
        { text: 'A', document: btoa('bytes'), filename: 'list.pdf', buttons },
        { text: 'A', buttons },
      ],
      fallback: true,
    })
    assert.equal(call.places['carousel[1].document'], 'cards.1.file')
    assert.equal(call.places['carousel[0].buttons[0].id'], 'cards.0.buttons.0')
    const pictures = cards.map((one) => ({ ...one, shows: 'image' as const }))
    const menu = makeSendCall({ ...makeDraft('carousel'), text: 'Look', cards: pictures }, '1', makeNoOptions('UTC'))
    assert.equal(menu.operation, 'sendMenu')
  })
})

describe('the line for a shell', () => {
  it('sends the same body, with files that the shell reads, whatever they are called', async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'composer-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const name = `it's "a" $(file) \`x\`.png`
    const bytes = Buffer.from([...Array(300).keys()].map((value) => value % 256))
    writeFileSync(path.join(folder, name), bytes)
    const file = { from: 'file' as const, name, blob: new Blob([bytes]) }
    const drafts: Draft[] = [
      { ...makeDraft('image'), text: `Look: 'here' $HOME \\ "x"`, file },
      {
        ...makeDraft('carousel'),
        text: 'Look',
        cards: [
          { key: '1', text: 'A', shows: 'image', file, buttons: [makeTestButton('Yes')] },
          { key: '2', text: 'B', shows: 'image', file, buttons: [makeTestButton('No')] },
        ],
      },
    ]
    for (const draft of drafts) {
      const call = makeSendCall(draft, '5511999990002', makeNoOptions('UTC'))
      const line = formatCurl({ ...call, method: 'POST', base: 'http://127.0.0.1:1', header: 'token' })
      // The shell's own commands write what curl would read.
      const written = execFileSync('sh', ['-c', line.replace(/\| curl .*$/s, '| cat')], {
        cwd: folder,
        encoding: 'utf8',
      })
      const sent = await fillBody(call.body, call.files)
      assert.deepEqual(JSON.parse(written), sent)
      assert.ok(JSON.stringify(sent).includes(bytes.toString('base64')))
    }
  })
})

describe('placeholders', () => {
  it('are found while they are written', () => {
    assert.deepEqual(openPlaceholder('Hi {{fir', 8), { start: 3, part: 'fir' })
    assert.equal(openPlaceholder('Hi {{first_name}}', 17), null)
    assert.equal(openPlaceholder('Hi {', 4), null)
    assert.deepEqual(listFittingNames(['name', 'first_name', 'city'], 'na'), ['name', 'first_name'])
  })
})
