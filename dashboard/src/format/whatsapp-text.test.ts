import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseVcard } from './vcard.js'
import { type Block, type Inline, parseWhatsAppText } from './whatsapp-text.js'

describe('the text of a message', () => {
  it('draws the marks of WhatsApp', () => {
    assert.equal(drawText('*bold* _italic_ ~gone~ `code`'), '<b>bold</b> <i>italic</i> <s>gone</s> <c>code</c>')
    assert.equal(drawText('*bold _both_*'), '<b>bold <i>both</i></b>')
    assert.equal(
      drawText('> quoted\n- one\n* two\n3. three\n4. four'),
      '[quote quoted][bullets one|two][numbers three|four]',
    )
    assert.equal(drawText('before\n```a\n*b*```\nafter'), 'before[code a\n*b*]after')
  })

  it('leaves marks alone that are not around words', () => {
    for (const text of [
      '2 * 3 * 4',
      'snake_case_name',
      'a*b*c',
      '* alone',
      '**',
      '*open',
      '5 ~ 6 ~ 7',
      '```open',
      '`open',
      '_ a _',
    ])
      assert.equal(drawText(text), text.startsWith('* ') ? '[bullets alone]' : text)
    assert.equal(drawText('*a _b* c_'), '<b>a _b</b> c_')
  })

  it('makes links of http, https, mailto and tel only', () => {
    assert.equal(drawText('see https://example.com/a?b=c.'), 'see <https://example.com/a?b=c>.')
    assert.equal(drawText('mailto:a@example.com tel:+5511999990001'), '<mailto:a@example.com> <tel:+5511999990001>')
    for (const text of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'http://',
      'https://[U+202E]moc.elpmaxe',
      'xhttps://example.com',
    ])
      assert.equal(drawText(text), text)
  })

  it('shows the host of a link whose text hides it', () => {
    assert.equal(drawText('https://bank.example@evil.example/'), '<https://bank.example@evil.example/>(evil.example)')
    assert.equal(drawText('https://еxample.com/'), '<https://еxample.com/>(xn--xample-2of.com)')
    assert.equal(drawText('https:\\\\evil.example'), 'https:\\\\evil.example')
  })

  it('keeps all characters, whatever the marks', () => {
    for (const text of ['*a', '_*~a', '~*_a_*~', '*a*b*', '``', '*`a*`', '[x](y)', '<b>*x*</b>', '*a\nb*'])
      assert.equal(keepLetters(drawText(text)), keepLetters(text))
  })

  it('takes linear time for hostile texts', () => {
    const size = 65_536
    for (const part of [
      '*',
      '_*~',
      '`',
      '```',
      '*a ',
      ' *a',
      '> ',
      '- ',
      '1. ',
      'http://a ',
      'https://',
      '*_~`',
      '*a* ',
      'h',
      '\n',
    ])
      assert.ok(measureMs(() => parseWhatsAppText(part.repeat(size / part.length))) < 1_000, part)
  })
})

describe('a contact card', () => {
  it('is read into fields, without its picture', () => {
    const card =
      'BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Ana;;;\r\nFN:Ana\\, the baker\r\nitem1.TEL;type=CELL;waid=5511999990002:+55 11\r\n  99999-0002\r\nPHOTO;ENCODING=b:AAAA\r\nORG:Bread;Ltd\r\nURL:javascript:alert(1)\r\nEND:VCARD'
    assert.deepEqual(parseVcard(card), [
      { field: 'name', value: 'Ana, the baker' },
      { field: 'phone', value: '+55 11 99999-0002' },
      { field: 'organization', value: 'Bread, Ltd' },
      { field: 'link', value: 'javascript:alert(1)' },
    ])
  })

  it('takes little time, and few lines, of hostile cards', () => {
    for (const part of ['FN:a\n', ';', ':', '\n ', 'FN;', '\\;', 'item1.'])
      assert.ok(measureMs(() => assert.ok(parseVcard(part.repeat(200_000)).length <= 40)) < 1_000, part)
    assert.deepEqual(parseVcard('__proto__:x\nconstructor:y'), [])
  })
})

function drawText(text: string): string {
  return parseWhatsAppText(text).map(drawBlock).join('')
}

function drawBlock(one: Block): string {
  if (one.kind === 'code') return `[code ${one.text}]`
  if (one.kind === 'lines') return one.lines.map(drawInline).join('\n')
  return `[${one.kind} ${one.lines.map(drawInline).join('|')}]`
}

function drawInline(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case 'text':
          return node.text
        case 'code':
          return `<c>${node.text}</c>`
        case 'link':
          return `<${node.text}>${node.host === '' ? '' : `(${node.host})`}`
        default:
          return `<${node.kind[0]}>${drawInline(node.children)}</${node.kind[0]}>`
      }
    })
    .join('')
}

function keepLetters(text: string): string {
  return text.replace(/<\/?[bisc]>/g, '').replace(/[*_~`\n]/g, '')
}

/** Returns the milliseconds of processor time: others may use the machine too. */
function measureMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1_000
}
