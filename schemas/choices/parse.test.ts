import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catchDetails, catchProblems } from '../../test/support/refusals.js'
import { fillMenu } from './fill.js'
import { checkFilledMenu } from './limits.js'
import type { Menu, MenuType, Option, Section } from './menu.js'
import { type MenuRequest, parseMenu } from './parse.js'

const base64 = Buffer.alloc(60, 7).toString('base64')

function parse(type: MenuType, choices: readonly string[], more: Partial<MenuRequest> = {}): Menu {
  return parseMenu({ type, text: 'Choose', choices, ...more }).menu
}

function buttons(choices: readonly string[]): unknown {
  const menu = parse('button', choices)
  assert.equal(menu.type, 'button')
  return menu.buttons
}

function readSections(menu: Menu): readonly Section[] {
  assert.equal(menu.type, 'list')
  return menu.sections
}

function readOptions(menu: Menu): readonly Option[] {
  assert.equal(menu.type, 'poll')
  return menu.options
}

function warnings(type: MenuType, choices: readonly string[], more: Partial<MenuRequest> = {}): readonly string[] {
  return parseMenu({ type, text: 'Choose', choices, ...more }).warnings
}

describe('a choice of buttons', () => {
  const at = 'choices[0]'
  const rows: readonly [choice: string, button: unknown][] = [
    ['Yes', { at, text: 'Yes', kind: 'reply', id: 'Yes' }],
    ['Yes|y1', { at, text: 'Yes', kind: 'reply', id: 'y1' }],
    ['Yes\ny1', { at, text: 'Yes', kind: 'reply', id: 'y1' }],
    ['Yes\r\ny1', { at, text: 'Yes', kind: 'reply', id: 'y1' }],
    ['  Yes |  y1 ', { at, text: 'Yes', kind: 'reply', id: 'y1' }],
    ['Yes|', { at, text: 'Yes', kind: 'reply', id: 'Yes' }],
    ['Code|copy:ABC-1', { at, text: 'Code', kind: 'copy', code: 'ABC-1' }],
    ['Code|COPY: ABC|2', { at, text: 'Code', kind: 'copy', code: 'ABC|2' }],
    ['Code\ncopy:ABC\nDEF', { at, text: 'Code', kind: 'copy', code: 'ABC\nDEF' }],
    ['Ring|call:+55 (11) 99999-9999', { at, text: 'Ring', kind: 'call', phone: '+5511999999999' }],
    ['Ring\ncall:08001234567', { at, text: 'Ring', kind: 'call', phone: '08001234567' }],
    ['Site|https://example.com/a?b=c', { at, text: 'Site', kind: 'url', url: 'https://example.com/a?b=c' }],
    ['Site|HTTP://example.com', { at, text: 'Site', kind: 'url', url: 'HTTP://example.com' }],
    ['Site|www.example.com/a', { at, text: 'Site', kind: 'url', url: 'https://www.example.com/a' }],
    [
      'Site|https://example.com/my file?q=a b',
      { at, text: 'Site', kind: 'url', url: 'https://example.com/my%20file?q=a%20b' },
    ],
    [
      'Site|url:example.com/{{ name }}/my file',
      { at, text: 'Site', kind: 'url', url: 'https://example.com/{{ name }}/my%20file' },
    ],
    ['Mail|mailto:ana@example.com', { at, text: 'Mail', kind: 'url', url: 'mailto:ana@example.com' }],
    [
      'Mail|url:mailto:ana@example.com?subject=Oi Ana',
      { at, text: 'Mail', kind: 'url', url: 'mailto:ana@example.com?subject=Oi%20Ana' },
    ],
    ['Mail|mailto:{{lead_email}}', { at, text: 'Mail', kind: 'url', url: 'mailto:{{lead_email}}' }],
    ['Wow|www', { at, text: 'Wow', kind: 'reply', id: 'www' }],
    ['Site|url:https://example.com', { at, text: 'Site', kind: 'url', url: 'https://example.com' }],
    ['Site|url:example.com/a', { at, text: 'Site', kind: 'url', url: 'https://example.com/a' }],
    ['Site|url:localhost:8080', { at, text: 'Site', kind: 'url', url: 'https://localhost:8080' }],
    ['Site\nurl:https://example.com', { at, text: 'Site', kind: 'url', url: 'https://example.com' }],
    ['A\\|B|id', { at, text: 'A|B', kind: 'reply', id: 'id' }],
    ['\\[A\\]|id', { at, text: '[A]', kind: 'reply', id: 'id' }],
    ['[A] now|id', { at, text: '[A] now', kind: 'reply', id: 'id' }],
    ['[A] or [B]', { at, text: '[A] or [B]', kind: 'reply', id: '[A] or [B]' }],
    ['a\\b\\\\c|id', { at, text: 'a\\b\\c', kind: 'reply', id: 'id' }],
    ['{{name}}|id', { at, text: '{{name}}', kind: 'reply', id: 'id' }],
    ['{{name}}', { at, text: '{{name}}', kind: 'reply', id: '{{name}}' }],
    ['{a, b}', { at, text: '{a, b}', kind: 'reply', id: '{a, b}' }],
  ]
  for (const [choice, button] of rows) {
    const { kind } = button as { kind: string }
    it(`${JSON.stringify(choice)} is a ${kind} button`, () => {
      assert.deepEqual(buttons([choice]), [button])
    })
  }

  it('keeps its order among others, and the footer and the image go with them', () => {
    const menu = parse('button', ['A|1', 'B|2'], { footerText: ' Foot ', imageButton: 'https://example.com/a.png' })
    assert.deepEqual(menu, {
      type: 'button',
      text: 'Choose',
      footer: 'Foot',
      image: { from: 'url', url: 'https://example.com/a.png' },
      buttons: [
        { at: 'choices[0]', text: 'A', kind: 'reply', id: '1' },
        { at: 'choices[1]', text: 'B', kind: 'reply', id: '2' },
      ],
    })
  })

  it('takes the image as base64, bare or as a data URL', () => {
    const image = (imageButton: string): unknown =>
      (parse('button', ['A'], { imageButton }) as { image?: unknown }).image
    assert.deepEqual(image(base64), { from: 'base64', data: base64 })
    assert.deepEqual(image(`data:image/PNG;base64,${base64}`), { from: 'base64', data: base64, mimetype: 'image/png' })
    assert.deepEqual(image(`data:;base64,${base64}`), { from: 'base64', data: base64 })
    assert.equal(image(' '), undefined)
  })

  it('warns when reply buttons stand beside others', () => {
    const notice = /can only be viewed on the phone/
    assert.match(warnings('button', ['A', 'B|https://example.com']).join(), notice)
    assert.match(warnings('carousel', ['[c]', 'A', 'B|copy:1']).join(), notice)
    assert.doesNotMatch(warnings('button', ['A', 'B']).join(), notice)
    assert.doesNotMatch(warnings('button', ['A|copy:1', 'B|call:123']).join(), notice)
  })
})

describe('a choice of a list', () => {
  it('is a section, or an item whose id and description may be left out', () => {
    const menu = parse(
      'list',
      [
        'First',
        '[Phones]',
        'One|p1|The small one',
        'Two\np2\nThe large one',
        'Three|p3',
        'Four||No id',
        '[Rest]',
        'Five',
      ],
      { listButton: 'Open', footerText: 'Foot' },
    )
    assert.deepEqual(menu, {
      type: 'list',
      text: 'Choose',
      footer: 'Foot',
      opener: 'Open',
      sections: [
        { title: '', rows: [{ at: 'choices[0]', text: 'First', id: 'First' }] },
        {
          title: 'Phones',
          rows: [
            { at: 'choices[2]', text: 'One', id: 'p1', description: 'The small one' },
            { at: 'choices[3]', text: 'Two', id: 'p2', description: 'The large one' },
            { at: 'choices[4]', text: 'Three', id: 'p3' },
            { at: 'choices[5]', text: 'Four', id: 'Four', description: 'No id' },
          ],
        },
        { title: 'Rest', rows: [{ at: 'choices[7]', text: 'Five', id: 'Five' }] },
      ],
    })
  })

  it('leaves out a section without items, with a warning', () => {
    const { menu, warnings } = parseMenu({ type: 'list', text: 'T', choices: ['[Empty]', '[Full]', 'One'] })
    assert.deepEqual(
      readSections(menu).map(({ title }) => title),
      ['Full'],
    )
    assert.match(warnings.join(), /Sections without items were left out: choices\[0\]\./)
  })
})

describe('a choice of a poll', () => {
  it('is an option, of which one may be taken unless more are allowed', () => {
    const menu = parse('poll', ['Red', 'Blue\\|Green', '{a}'])
    assert.deepEqual(menu, {
      type: 'poll',
      text: 'Choose',
      options: [
        { at: 'choices[0]', text: 'Red' },
        { at: 'choices[1]', text: 'Blue|Green' },
        { at: 'choices[2]', text: '{a}' },
      ],
      selectableCount: 1,
    })
    assert.equal((parse('poll', ['A', 'B'], { selectableCount: 0 }) as { selectableCount: number }).selectableCount, 0)
    assert.equal((parse('poll', ['A', 'B'], { selectableCount: 2 }) as { selectableCount: number }).selectableCount, 2)
  })
})

describe('the choices of a carousel', () => {
  it('are cards with their images and buttons', () => {
    const menu = parse('carousel', [
      '[Phone\nThe | good one]',
      '{https://example.com/{1}.png}',
      'Copy|copy:P1',
      'Site|https://example.com',
      'Ring|call:+5511999999999',
      '[Second [new]]',
      `{${base64}}`,
      'Take it|take',
    ])
    assert.deepEqual(menu, {
      type: 'carousel',
      text: 'Choose',
      cards: [
        {
          at: 'choices[0]',
          text: 'Phone\nThe | good one',
          media: { at: 'choices[1]', kind: 'image', source: { from: 'url', url: 'https://example.com/{1}.png' } },
          buttons: [
            { at: 'choices[2]', text: 'Copy', kind: 'copy', code: 'P1' },
            { at: 'choices[3]', text: 'Site', kind: 'url', url: 'https://example.com' },
            { at: 'choices[4]', text: 'Ring', kind: 'call', phone: '+5511999999999' },
          ],
        },
        {
          at: 'choices[5]',
          text: 'Second [new]',
          media: { at: 'choices[6]', kind: 'image', source: { from: 'base64', data: base64 } },
          buttons: [{ at: 'choices[7]', text: 'Take it', kind: 'reply', id: 'take' }],
        },
      ],
    })
  })
})

describe('the same choices under another type', () => {
  const choices = ['[Phones]', 'One|p1|The small one', 'Two|p2', 'Site|https://example.com']

  it('keep labels and ids, and what has no place is left out with a warning', () => {
    const asButtons = parseMenu({ type: 'button', text: 'T', choices, listButton: 'Open' })
    assert.deepEqual((asButtons.menu as { buttons: unknown }).buttons, [
      { at: 'choices[1]', text: 'One', kind: 'reply', id: 'p1' },
      { at: 'choices[2]', text: 'Two', kind: 'reply', id: 'p2' },
      { at: 'choices[3]', text: 'Site', kind: 'url', url: 'https://example.com' },
    ])
    assert.deepEqual(asButtons.warnings.slice(0, 3), [
      'Titles in brackets are shown in lists and carousels only and were left out: choices[0].',
      'A button has no description: the third field was left out: choices[1].',
      'listButton is for lists and was ignored.',
    ])
    const asPoll = parseMenu({ type: 'poll', text: 'T', choices })
    assert.deepEqual(
      readOptions(asPoll.menu).map(({ text }) => text),
      ['One', 'Two', 'Site'],
    )
    assert.match(asPoll.warnings.join(), /A poll option is a text alone: .* choices\[1\], choices\[2\], choices\[3\]\./)
    const asList = parseMenu({ type: 'list', text: 'T', choices: ['Yes|y', 'Code|copy:1'] })
    assert.deepEqual((asList.menu as { opener: string }).opener, 'Menu')
    assert.deepEqual(readSections(asList.menu), [
      {
        title: '',
        rows: [
          { at: 'choices[0]', text: 'Yes', id: 'y' },
          { at: 'choices[1]', text: 'Code', id: 'copy:1' },
        ],
      },
    ])
    assert.match(asList.warnings.join(), /A list has no copy, call or url buttons/)
  })

  it('lose an image and whatever belongs to another type', () => {
    const result = warnings('poll', ['A', 'B', '{https://example.com/a.png}'], {
      footerText: 'f',
      listButton: 'l',
      imageButton: 'i',
    })
    assert.deepEqual(result, [
      'Images in braces are shown in carousels only and were left out: choices[2].',
      'footerText is for buttons and lists and was ignored.',
      'listButton is for lists and was ignored.',
      'imageButton is for buttons and was ignored.',
    ])
    assert.deepEqual(warnings('list', ['A'], { selectableCount: 1 }), ['selectableCount is for polls and was ignored.'])
  })
})

describe('a choice that is wrong', () => {
  const rows: readonly [type: MenuType, choices: readonly string[], problem: string, more?: Partial<MenuRequest>][] = [
    ['button', [], 'choices has no button'],
    ['button', ['[only a title]'], 'choices has no button'],
    ['button', ['A', ' '], 'choices[1] has no text'],
    ['button', ['|id'], 'choices[0] has no text'],
    ['button', ['A|copy:'], 'choices[0] has no code after copy:'],
    ['button', ['A|call:now'], 'choices[0] has no phone number after call: (3 to 20 digits)'],
    ['button', ['A|call:'], 'choices[0] has no phone number after call: (3 to 20 digits)'],
    ['button', ['A|url:'], 'choices[0] has no valid URL (http, https or mailto)'],
    ['button', ['A|url:ftp://example.com'], 'choices[0] has no valid URL (http, https or mailto)'],
    ['button', ['A|url:javascript:alert(1)'], 'choices[0] has no valid URL (http, https or mailto)'],
    ['button', ['A|url:mailto:nobody'], 'choices[0] has no valid URL (http, https or mailto)'],
    ['button', ['A|mailto:a@b@example.com'], 'choices[0] has no valid URL (http, https or mailto)'],
    ['button', ['A|https://exa mple.com'], 'choices[0] has no valid URL (http, https or mailto)'],
    ['button', ['A|https://'], 'choices[0] has no valid URL (http, https or mailto)'],
    ['button', ['A'], 'text has no text', { text: ' ' }],
    ['button', ['A'], 'imageButton is neither an http or https URL nor base64', { imageButton: 'a cat' }],
    ['button', ['A'], 'imageButton is neither an http or https URL nor base64', { imageButton: 'data:image/png,raw' }],
    ['list', [], 'choices has no item'],
    ['list', ['[Section]'], 'choices has no item'],
    ['list', ['|id'], 'choices[0] has no text'],
    ['poll', ['A', '|'], 'choices[1] has no text'],
    ['poll', ['A', 'B', 'A|again'], 'choices[2] is the same option as choices[0]'],
    ['poll', ['A', 'B'], 'selectableCount must be 0 (any number) to 2, the number of options', { selectableCount: 3 }],
    ['carousel', [], 'choices has no card'],
    ['carousel', ['A', '[c]'], 'choices[0] stands before the first card: a carousel begins with [text of a card]'],
    ['carousel', ['[]', 'A'], 'choices[0] has no text'],
    ['carousel', ['[c]', '{a cat}', 'A'], 'choices[1] is neither an http or https URL nor base64'],
    ['carousel', ['[c]', `{${base64}}`, `{${base64}}`, 'A'], 'choices[2] is the second image of its card'],
    ['carousel', ['[c]', 'A', '[d]'], 'choices[2] is a card without a button'],
  ]
  for (const [type, choices, problem, more] of rows) {
    it(`${type} ${JSON.stringify(choices).slice(0, 60)}: ${problem}`, () => {
      assert.ok(catchProblems(() => parse(type, choices, more)).includes(problem))
    })
  }

  it('is reported with all others, the first of them in the text', () => {
    const { message, details } = catchDetails(() => parse('button', ['|a', '|b', 'C|copy:']))
    assert.equal(message, 'Invalid request: choices[2] has no code after copy:.')
    assert.equal(details.length, 1)
    const both = catchDetails(() => parse('button', ['|a', '|b']))
    assert.equal(both.message, 'Invalid request: choices[0] has no text.')
    assert.deepEqual(both.details, [
      { field: 'choices[0]', why: 'has no text' },
      { field: 'choices[1]', why: 'has no text' },
    ])
  })
})

describe('placeholders in a menu', () => {
  const fill = (text: string): string =>
    text
      .replace('{{name}}', 'Ana')
      .replace('{{none}}', '')
      .replace('{{full name}}', 'Ana Lima')
      .replace('{{site}}', 'ana.example/')
      .replace('{{phone}}', '+55 11 99999-9999')

  it('are filled in what a reader sees, and an id that was not given follows its text', () => {
    const menu = parse('button', [
      'Hi {{name}}',
      'You|{{name}}',
      'Code|copy:{{name}}1',
      'Web|https://example.com/{{name}}?of={{full name}}',
      'Own|url:{{site}}',
      'Host|url:example.com/{{name}}',
      'Ring|call:{{phone}}',
    ])
    assert.deepEqual((fillMenu(menu, fill) as { buttons: unknown }).buttons, [
      { at: 'choices[0]', text: 'Hi Ana', kind: 'reply', id: 'Hi Ana' },
      { at: 'choices[1]', text: 'You', kind: 'reply', id: '{{name}}' },
      { at: 'choices[2]', text: 'Code', kind: 'copy', code: 'Ana1' },
      { at: 'choices[3]', text: 'Web', kind: 'url', url: 'https://example.com/Ana?of=Ana%20Lima' },
      { at: 'choices[4]', text: 'Own', kind: 'url', url: 'https://ana.example/' },
      { at: 'choices[5]', text: 'Host', kind: 'url', url: 'https://example.com/Ana' },
      { at: 'choices[6]', text: 'Ring', kind: 'call', phone: '+5511999999999' },
    ])
    for (const [url, value, expected] of [
      [
        'https://pay.example/?n={{v}}&v=10',
        'Tom & Jerry #1 100%',
        'https://pay.example/?n=Tom%20%26%20Jerry%20%231%20100%25&v=10',
      ],
      ['https://example.com/a/{{v}}/c', 'b 1/b?2', 'https://example.com/a/b%201/b%3F2/c'],
      ['https://{{v}}.example.com/', 'ana', 'https://ana.example.com/'],
      ['https://{{v}}.example.com/', 'evil.example/', ''],
      ['https://{{v}}.example.com/', 'a@evil', ''],
      ['url:{{v}}', 'https://shop.example/my list', 'https://shop.example/my%20list'],
      ['url:{{v}}', 'javascript:alert(1)', ''],
      ['https://example.com/{{other}}', 'x', 'https://example.com/{{other}}'],
    ]) {
      const menu = fillMenu(parse('button', [`Web|${url}`]), (text) => text.replace('{{v}}', () => value ?? ''))
      assert.equal((menu as unknown as { buttons: { url: string }[] }).buttons[0]?.url, expected, `${url} ${value}`)
    }
    const list = fillMenu(parse('list', ['[For {{name}}]', 'One|1|Of {{name}}'], { footerText: '{{name}}' }), fill)
    assert.deepEqual(list, {
      type: 'list',
      text: 'Choose',
      footer: 'Ana',
      opener: 'Menu',
      sections: [{ title: 'For Ana', rows: [{ at: 'choices[1]', text: 'One', id: '1', description: 'Of Ana' }] }],
    })
  })

  it('are checked again once they are filled', () => {
    const poll = parse('poll', ['Ana', '{{name}}', 'C'])
    assert.deepEqual(
      catchProblems(() => checkFilledMenu(fillMenu(poll, fill))),
      ['choices[1] is the same option as choices[0]'],
    )
    const empty = parse('carousel', ['[{{none}}]', '{{none}}|1'])
    assert.deepEqual(
      catchProblems(() => checkFilledMenu(fillMenu(empty, fill))),
      ['choices[0] has no text', 'choices[1] has no text'],
    )
    assert.deepEqual(checkFilledMenu(fillMenu(parse('button', ['{{name}}']), fill)), [])
    const useless = parse('button', ['Code|copy:{{none}}', 'Web|url:{{none}}', 'Ring|call:{{name}}'])
    assert.deepEqual(
      catchProblems(() => checkFilledMenu(fillMenu(useless, fill))),
      [
        'choices[0] has no code',
        'choices[1] has no valid URL (http, https or mailto)',
        'choices[2] has no phone number (3 to 20 digits)',
      ],
    )
    const list = fillMenu(parse('list', ['One'], { listButton: '{{none}}' }), fill)
    assert.equal((list as { opener: string }).opener, 'Menu')
  })
})
