/** The same tables by each way that makes a campaign of them: a dry run, an import, and the numbers of a simple campaign. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { startWorld, type TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

interface Numbers {
  readonly cells: readonly string[]
  readonly people: number
  /** Cells that are no number. */
  readonly wrong: number
}

interface Table {
  readonly about: string
  readonly bytes: Buffer
  readonly format: 'csv' | 'ndjson'
  readonly nameColumn: string
  readonly numbers: Numbers
  /** True if nobody can read it as UTF-8 or marked UTF-16. */
  readonly isUnreadable: boolean
}

/** The columns of the number, of the name, and of something else. */
const HEADS: readonly (readonly [string, string, string])[] = [
  ['number', 'name', 'city'],
  ['Telefone', 'Nome', 'Cidade'],
  ['Teléfono', 'Nombre', 'Ciudad'],
  ['CELULAR', 'NOME COMPLETO', 'MUNICÍPIO'],
  ['WhatsApp', 'nome', 'Código'],
  ['Número', 'Nombre completo', 'País'],
  ['phone', 'Full Name', 'Company'],
  ['Móvil', 'nombre', 'Fecha de alta'],
  ['numero_de_telefone', 'Nome', 'Valor (R$)'],
  ['Telemóvel', 'Nome', 'Observação'],
  ['Fone', 'nome', 'E-mail'],
  [' Phone Number ', 'Name', 'Note'],
  ['numero de telefono', 'NOMBRE', 'año'],
]
const NAMES = ['Ana Souza', 'José "Zé" Lima', 'Muñoz, Íñigo', 'Bia; a primeira', '李雷']
const NUMBERS: readonly Numbers[] = [
  { cells: ['5511987650010', '5511987650011', '5511987650012'], people: 3, wrong: 0 },
  { cells: ['+55 (11) 98765-0010', '+55 11 98765 0011', '+55 11 98765-0012'], people: 3, wrong: 0 },
  // One person, in both spellings of a mobile number of Brazil.
  { cells: ['5511987650010', '551187650010', '5511987650010@s.whatsapp.net', '5511987650011'], people: 2, wrong: 0 },
  { cells: ['5511987650010', 'n/a', ' ', '5511987650012'], people: 2, wrong: 2 },
  { cells: ['5511987650010.0', '5511987650011.0', '5511987650012.00'], people: 3, wrong: 0 },
  { cells: ['5.511987650010E+12', '5,511987650011E+12', '5.51E+12'], people: 2, wrong: 1 },
  {
    cells: ['\u202A+55 11 98765-0010\u202C', '55\u00A011\u00A098765\u20110011', '\u200E5511987650012'],
    people: 3,
    wrong: 0,
  },
  { cells: ['５５１１９８７６５００１０', '0055 11 98765-0011', '011 98765-0012'], people: 2, wrong: 1 },
  { cells: ['(11) 98765-0010', '98765-0011', '+1 202 555 0123'], people: 1, wrong: 2 },
  { cells: ['120363000000000000@g.us', '5511987650011', 'status@broadcast'], people: 2, wrong: 1 },
  { cells: ["'5511987650010", '="5511987650011"', '5511987650012;'], people: 2, wrong: 1 },
]
const SEPARATORS = [',', ';', '\t', '|']
const ENCODINGS = ['utf8', 'bom', 'utf16le', 'utf16be', 'latin1', 'utf8', 'bom'] as const

const TABLES = Array.from({ length: 50 }, (_, index) => createTable(index))

describe('the same table', () => {
  let ana: TestInstance
  const cleanup = suiteCleanup()
  before(async () => {
    const world = await startWorld(cleanup)
    ana = await world.paired('15550745100')
  })

  const post = (path: string, body: Json) =>
    ana.call<Json>('POST', `/sender/${path}`, { type: 'text', ...LATER, ...body })
  const chats = async (id: unknown) => {
    const { body } = await ana.call<{ messages: Json[] }>('POST', '/sender/listmessages', { folder_id: id })
    return body.messages.map(({ chatid }) => chatid)
  }

  for (const [index, table] of TABLES.entries())
    it(`is read alike by imports, dry runs and simple campaigns: ${index + 1}, ${table.about}`, async () => {
      const { nameColumn, numbers, format } = table
      const list = { recipients: table.bytes.toString('base64'), format, text: `Oi {{${nameColumn.toUpperCase()}}}` }
      for (const onInvalid of ['refuse', 'skip']) {
        const trial = await post('import', { ...list, onInvalid, dryRun: true })
        const made = await post('import', { ...list, onInvalid })
        assert.deepEqual([trial.status, comparable(trial.body)], [made.status, comparable(made.body)])
        if (onInvalid === 'refuse') {
          assert.equal(made.status, table.isUnreadable || numbers.wrong > 0 ? 400 : 200)
          continue
        }
        if (table.isUnreadable) {
          assert.match(String(made.body.error), /not UTF-8/)
          continue
        }
        const simple = { numbers: numbers.cells, text: 'Oi', onInvalid }
        const [tried, sent] = [await post('simple', { ...simple, dryRun: true }), await post('simple', simple)]
        assert.deepEqual([tried.status, comparable(tried.body)], [sent.status, comparable(sent.body)])
        assert.equal(sent.status, made.status, JSON.stringify([sent.body, made.body]))
        if (made.status !== 200) continue
        const wrong = (sent.body.invalid as Json[]).length
        assert.deepEqual(
          [made.body.count, made.body.duplicates, made.body.invalid, made.body.lines],
          [sent.body.count, sent.body.duplicates, wrong, numbers.cells.length],
        )
        assert.deepEqual(await chats(made.body.folder_id), await chats(sent.body.folder_id))
        assert.deepEqual([made.body.count, wrong], [numbers.people, numbers.wrong])
        const [first] = trial.body.messages as Json[]
        assert.ok(
          NAMES.some((name) => first?.text === `Oi ${name}`),
          JSON.stringify(first),
        )
      }
      await ana.call('DELETE', '/sender/clearall')
    })
})

const LATER = { delayMin: 0, delayMax: 0, scheduled_for: 60 }

/** The answer without what a dry run cannot have, and without times. */
function comparable({ folder_id: _, status: __, messages: ___, today, request_id: ____, ...rest }: Json): Json {
  const { until: _____, ends: ______, ...counts } = (today ?? {}) as Json
  return { ...rest, today: counts }
}

function createTable(index: number): Table {
  const head = HEADS[index % HEADS.length] as (typeof HEADS)[0]
  const numbers = NUMBERS[index % NUMBERS.length] as Numbers
  const encoding = ENCODINGS[index % ENCODINGS.length] as (typeof ENCODINGS)[number]
  const separator = SEPARATORS[(index >> 1) % SEPARATORS.length] as string
  const isJson = index % 9 === 8
  const rows = numbers.cells.map((cell, row) => [cell, NAMES[(index + row) % NAMES.length] as string, `x ${row}`])
  const about = `${JSON.stringify(head)}, ${numbers.cells[0]}`
  const shared = { nameColumn: head[1], numbers }
  if (isJson) {
    const lines = rows.map((row) => JSON.stringify(Object.fromEntries(head.map((name, place) => [name, row[place]]))))
    const bytes = Buffer.from(lines.join('\n'))
    return { ...shared, about: `${about}, NDJSON`, format: 'ndjson', bytes, isUnreadable: false }
  }
  const quotesAll = index % 3 === 0
  const isWide = index % 5 === 0
  const quoted = (cell: string) => (quotesAll || /[",;|\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const lines = [head, ...rows].map((row) => [...row, ...(isWide ? [''] : [])].map(quoted).join(separator))
  const named = index % 8 === 3 ? [`sep=${separator}`, ...lines] : lines
  const text = named.join(index % 2 === 0 ? '\r\n' : '\n')
  // Latin-1 has no names of Chinese, and others are read as UTF-8 if they are ASCII.
  const isUnreadable = encoding === 'latin1'
  const bytes = isUnreadable ? Buffer.from(text.replaceAll('李雷', 'João'), 'latin1') : encoded(text, encoding)
  return { ...shared, about: `${about}, ${encoding}, ${JSON.stringify(separator)}`, format: 'csv', bytes, isUnreadable }
}

function encoded(text: string, encoding: Exclude<(typeof ENCODINGS)[number], 'latin1'>): Buffer {
  if (encoding === 'utf8') return Buffer.from(text)
  if (encoding === 'bom') return Buffer.from(`\uFEFF${text}`)
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return encoding === 'utf16le' ? bytes : bytes.swap16()
}
