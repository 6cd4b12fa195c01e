import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type RecipientFormat, readRecipients } from './recipient-lines.js'

type Shown = readonly [line: number, numberOrWhy: string, values?: Readonly<Record<string, string>>, timezone?: string]

/** Reads a file in pieces of that size. */
async function read(file: string | Uint8Array, format: RecipientFormat = 'csv', size = 65_536): Promise<Shown[]> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const shown: Shown[] = []
  for await (const lines of readRecipients(pieces(), format)) {
    for (const one of lines) {
      if ('why' in one) shown.push([one.line, one.why])
      else {
        const { number, timezone } = one.recipient
        const values = one.recipient.values.filter(([name]) => !/^(number|phone|timezone)$/i.test(name))
        shown.push([
          one.line,
          number,
          Object.fromEntries(values),
          ...(timezone === '' ? ([] as const) : ([timezone] as const)),
        ])
      }
    }
  }
  return shown
}
const whole = (file: string | Uint8Array, format?: RecipientFormat) =>
  read(file, format).then(
    () => '',
    (error: Error) => error.message,
  )

describe('a list of recipients in CSV', () => {
  const people: Shown[] = [
    [2, '5511999990001', { name: 'Ana', city: 'Recife' }],
    [3, '5511999990002', { name: 'Ben', city: '' }],
  ]

  it('is read with each separator, with and without a byte order mark, and with each line break', async () => {
    for (const separator of [',', ';', '\t']) {
      for (const lineBreak of ['\n', '\r\n', '\r']) {
        for (const mark of ['', '\uFEFF']) {
          const rows = [
            ['number', 'name', 'city'],
            ['5511999990001', 'Ana', 'Recife'],
            ['5511999990002', 'Ben', ''],
            ['', '', ''],
          ]
          const file = mark + rows.map((row) => row.join(separator)).join(lineBreak)
          if (lineBreak !== '\r') assert.deepEqual(await read(file), people)
          assert.deepEqual(
            (await read(file)).map(([, number]) => number),
            people.map(([, number]) => number),
          )
          assert.deepEqual(await read(`${file}${lineBreak}`, 'csv', 1), await read(file))
        }
      }
    }
  })

  it('may have quotes, with separators, quotes and line breaks in them', async () => {
    const file = 'number;"name";note\n5511999990001;"Silva; Ana";"says ""hi""\r\nand bye"\n5511999990002;Ben "B" Lee;\n'
    for (const size of [1, 7, 65_536]) {
      assert.deepEqual(await read(file, 'csv', size), [
        [2, '5511999990001', { name: 'Silva; Ana', note: 'says "hi"\r\nand bye' }],
        [4, '5511999990002', { name: 'Ben "B" Lee', note: '' }],
      ])
    }
  })

  it('takes the number in other languages and spellings, and a time zone', async () => {
    const number = '+55 (11) 99999-0001'
    assert.deepEqual(await read(`Nome,TELEFONE,timezone\nAna,${number},America/Manaus\nBen,123@lid,\n`), [
      [2, number, { Nome: 'Ana', TELEFONE: number }, 'America/Manaus'],
      [3, 'has a number that is not a LID'],
    ])
    for (const [head, more] of [
      ['Teléfono;Fuso horário', {}],
      ['Número de telefone;zona_horaria', {}],
      ['telefone_celular;Time Zone', {}],
      ['number;timezone;celular', { celular: '1' }],
    ] as const) {
      const [[, read1, values, zone] = []] = await read(`${head}\n${number};UTC${'celular' in more ? ';1' : ''}\n`)
      assert.deepEqual([read1, zone], [number, 'UTC'], head)
      if ('celular' in more) assert.equal(values?.celular, '1')
    }
  })

  it('keeps columns without a name as long as they are empty, and skips a line that names the separator', async () => {
    const file = 'sep=|\nnumber|name||\n5511999990001|Ana||\n5511999990002|Ben|x|\n'
    assert.deepEqual(await read(file), [
      [3, '5511999990001', { name: 'Ana' }],
      [4, 'has a value in a column without a name'],
    ])
  })

  it('names each bad line and reads on', async () => {
    const lines = [
      'number,name,timezone',
      '5511999990001,Ana,',
      '5511999990002,Ben',
      'x,Cat,',
      ',Dan,',
      '5511999990005,"Eve" x,',
      '5511999990006,F\0,',
      '5511999990007,Gil,Mars/Olympus',
      'status@broadcast,Hal,',
      `5511999990009,${'x'.repeat(5_000)},`,
      `5511999990010,${'x'.repeat(70_000)},`,
      '5511999990011,"Joe,',
      '5511999990012,Kim,UTC',
      '120363000000000000@g.us,Crew,',
    ]
    const expected: Shown[] = [
      [2, '5511999990001', { name: 'Ana' }],
      [3, 'has 2 columns, and the header has 3'],
      [4, 'has a number that is not a phone number with country code (6 to 15 digits)'],
      [5, 'has no number'],
      [6, 'has text behind a closing quote'],
      [7, 'holds a NUL character'],
      [8, 'has a timezone that is not an IANA time zone'],
      [
        9,
        'has a number that names status posts or a broadcast list: name a person or a group, or post a status with /send/status',
      ],
      [10, 'has a value of more than 4096 characters'],
      [11, 'is longer than 65536 characters'],
      [12, 'has a quote that is not closed'],
      [13, '5511999990012', { name: 'Kim' }, 'UTC'],
      [14, '120363000000000000@g.us', { name: 'Crew' }],
    ]
    for (const size of [1_000, 65_536, 1_000_000]) assert.deepEqual(await read(lines.join('\n'), 'csv', size), expected)
  })

  it('may be UTF-16 with a byte order mark', async () => {
    for (const isBig of [false, true]) {
      const bytes = Buffer.from('\uFEFFnumber\tname\tcity\n5511999990001\tAna\tRecife\n5511999990002\tBen\t', 'utf16le')
      const file = isBig ? bytes.swap16() : bytes
      for (const size of [1, 3, 65_536]) assert.deepEqual(await read(file, 'csv', size), people)
    }
  })

  it('is refused as a whole when its encoding or its header cannot be read', async () => {
    const utf16 = Buffer.from('number,name\n5511999990001,Ana\n', 'utf16le')
    for (const [file, why] of [
      [Buffer.concat([Buffer.from([0xff, 0xfe]), utf16, Buffer.from([0x00, 0xd8])]), 'recipients is damaged UTF-16'],
      [utf16, 'recipients is UTF-16'],
      [Buffer.from(utf16).swap16(), 'recipients is UTF-16'],
      [Buffer.from('number,name\n5511999990001,Jos\xe9\n', 'latin1'), 'recipients is not UTF-8'],
      [Buffer.from('number\n1\xe9', 'latin1'), 'recipients is not UTF-8'],
      ['', 'recipients is empty'],
      ['\n\n', 'recipients is empty'],
      ['5511999990001,Ana\n', 'one of them must be "number"'],
      ['number,a,A\n', 'has the column A twice'],
      ['telefone,celular\n', 'several columns that may be the number (telefone, celular)'],
      ['number,__proto__\n', 'cannot be a placeholder'],
      ['number,{{a}}\n', 'cannot be a placeholder'],
      [`number,${'x'.repeat(61)}\n`, 'longer than 60'],
      [`number${',a'.repeat(50)}\n`, 'more than 50 columns'],
      [`number,"${'x'.repeat(200_000)}`, 'line 1 has a quote that is not closed'],
      ['x'.repeat(200_000), 'line 1 is longer than'],
      [`number\n${'"5511999990001\n'.repeat(50_000)}`, ''],
      [`number,name\n${'5511999990001,"Ana\n5511999990001,Ben\n'.repeat(151)}"`, ''],
      [`number,name\n${`5511999990001,"${'x'.repeat(80_000)}\n`.repeat(1)}`, ''],
    ] as const) {
      const refused = await whole(file)
      assert.ok(why === '' ? refused === '' || refused.includes('quotes') : refused.includes(why), `${why}: ${refused}`)
    }
  })

  it('stays in bounds for a line of 16 MiB, and ends at the hundredth quote that is not closed', async () => {
    async function* pieces(head: string, piece: string, count: number) {
      yield Buffer.from(head)
      const bytes = Buffer.from(piece)
      for (let index = 0; index < count; index += 1) yield bytes
      yield Buffer.from('\n5511999990002\n')
    }
    const seen: unknown[] = []
    for await (const lines of readRecipients(pieces('number\n', 'x'.repeat(65_536), 256), 'csv')) seen.push(...lines)
    assert.equal(seen.length, 2)
    await assert.rejects(async () => {
      for await (const _ of readRecipients(pieces('number,a\n', `1,"${'y'.repeat(70_000)}\n`, 200), 'csv'));
    }, /too many quotes/)
  })
})

describe('a list of recipients in NDJSON', () => {
  it('is read line by line, with numbers and booleans as texts', async () => {
    const file =
      '\uFEFF{"number":5511999990001,"name":"Ana","vip":true,"note":null}\r\n\n{"phone":"5511999990002","timezone":"UTC"}'
    for (const size of [1, 65_536]) {
      assert.deepEqual(await read(file, 'ndjson', size), [
        [1, '5511999990001', { name: 'Ana', vip: 'true' }],
        [3, '5511999990002', {}, 'UTC'],
      ])
    }
  })

  it('names each bad line and reads on', async () => {
    const lines = [
      '{"number":"5511999990001"',
      '["5511999990001"]',
      'null',
      '{"name":"Ana"}',
      '{"number":"5511999990001","a":{"b":1}}',
      '{"number":"5511999990001","__proto__":"x"}',
      `{"number":"5511999990001","a":"${'x'.repeat(70_000)}"}`,
      `{"number":"5511999990001"${Array.from({ length: 60 }, (_, index) => `,"a${index}":1`).join('')}}`,
      '{"number":"5511999990001","a":"\\u0000"}',
      '{"number":"5511999990009"}',
    ]
    const why = (await read(lines.join('\n'), 'ndjson', 10_000)).map(([, text]) => text)
    assert.deepEqual(why, [
      'is not JSON',
      'is not an object of JSON',
      'is not an object of JSON',
      'has no number',
      'has a field that is not a text, a number or a boolean: a',
      'has a field with a name that cannot be a placeholder',
      'is longer than 65536 characters',
      'has more than 50 fields',
      'holds a NUL character',
      '5511999990009',
    ])
    assert.match(await whole('\n', 'ndjson'), /recipients is empty/)
  })
})
