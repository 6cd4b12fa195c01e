import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catchProblems } from '../../test/support/refusals.js'
import { choiceLimits } from './limits.js'
import type { MenuType } from './menu.js'
import { type MenuRequest, parseMenu } from './parse.js'

const text = (length: number): string => 'x'.repeat(length)
const several = (count: number, of: (index: number) => string = (index) => `c${index}`): string[] =>
  Array.from({ length: count }, (_, index) => of(index))

function listWarnings(type: MenuType, choices: readonly string[], more: Partial<MenuRequest> = {}): readonly string[] {
  return parseMenu({ type, text: 'T', choices, ...more }).warnings
}

describe('a limit beyond which a message is not shown', () => {
  const cards = (count: number): string[] => several(count).flatMap((name) => [`[${name}]`, `Take|${name}`])
  const sections = (count: number): string[] => several(count).flatMap((name) => [`[${name}]`, `${name} item`])
  const rows: readonly [
    name: string,
    type: MenuType,
    choices: (max: number) => string[],
    max: number,
    problem: string,
    more?: (max: number) => Partial<MenuRequest>,
  ][] = [
    ['buttons', 'button', (max) => several(max), choiceLimits.buttons, 'choices[10] is more than 10 buttons'],
    [
      'ids',
      'button',
      (max) => [`A|${text(max)}`],
      choiceLimits.idLength,
      'choices[0] has an id of more than 256 characters',
    ],
    ['labels', 'button', (max) => [`${text(max)}|1`], choiceLimits.label, 'choices[0] is longer than 4096 characters'],
    [
      'codes',
      'button',
      (max) => [`A|copy:${text(max)}`],
      choiceLimits.label,
      'choices[0] is longer than 4096 characters',
    ],
    [
      'ids of items',
      'list',
      (max) => [`A|${text(max)}`],
      choiceLimits.idLength,
      'choices[0] has an id of more than 256 characters',
    ],
    [
      'sections',
      'list',
      sections,
      choiceLimits.sections,
      'choices[21] is in the section after the 10 that a list may have',
    ],
    ['options', 'poll', (max) => several(max), choiceLimits.pollOptions, 'choices[12] is more than 12 options'],
    [
      'the text of an option',
      'poll',
      (max) => ['A', text(max)],
      choiceLimits.pollOption,
      "choices[1] is longer than the 100 characters of a poll's option",
    ],
    [
      'the question of a poll',
      'poll',
      () => ['A', 'B'],
      choiceLimits.pollQuestion,
      "text is longer than the 255 characters of a poll's question",
      (max) => ({ text: text(max) }),
    ],
    ['cards', 'carousel', cards, choiceLimits.cards, 'choices[20] is more than 10 cards'],
    [
      'buttons on a card',
      'carousel',
      (max) => ['[c]', ...several(max)],
      choiceLimits.cardButtons,
      'choices[4] is more than 3 buttons on a card',
    ],
  ]
  for (const [name, type, choices, max, problem, more] of rows) {
    it(`${name}: ${max} are taken, one more is refused by name`, () => {
      parseMenu({ type, text: 'T', choices: choices(max), ...more?.(max) })
      assert.ok(
        catchProblems(() => parseMenu({ type, text: 'T', choices: choices(max + 1), ...more?.(max + 1) })).includes(
          problem,
        ),
      )
    })
  }

  it('fewer than two options are not a poll', () => {
    assert.deepEqual(
      catchProblems(() => parseMenu({ type: 'poll', text: 'T', choices: ['A'] })),
      ['choices has fewer than 2 options'],
    )
  })
})

describe('a limit beyond which clients cut what they show', () => {
  const longer = (shown: number, what: string, at: string): string =>
    `Longer than the ${shown} characters that clients show of ${what}: ${at}.`
  const rows: readonly [
    type: MenuType,
    shown: number,
    make: (length: number) => { choices: string[] } & Partial<MenuRequest>,
    warning: string,
  ][] = [
    [
      'button',
      choiceLimits.buttonText,
      (n) => ({ choices: ['A', `${text(n)}|1`] }),
      longer(20, 'a button', 'choices[1]'),
    ],
    [
      'button',
      choiceLimits.buttonBody,
      (n) => ({ choices: ['A'], text: text(n) }),
      longer(1024, 'the text of buttons', 'text'),
    ],
    [
      'button',
      choiceLimits.footer,
      (n) => ({ choices: ['A'], footerText: text(n) }),
      longer(60, 'a footer', 'footerText'),
    ],
    [
      'list',
      choiceLimits.rowText,
      (n) => ({ choices: [`${text(n)}|1`] }),
      longer(24, 'the text of an item', 'choices[0]'),
    ],
    [
      'list',
      choiceLimits.rowDescription,
      (n) => ({ choices: [`A|1|${text(n)}`] }),
      longer(72, 'the description of an item', 'choices[0]'),
    ],
    [
      'list',
      choiceLimits.sectionTitle,
      (n) => ({ choices: [`[${text(n)}]`, 'A'] }),
      longer(24, 'the title of a section', 'choices[1]'),
    ],
    [
      'list',
      choiceLimits.listOpener,
      (n) => ({ choices: ['A'], listButton: text(n) }),
      longer(20, 'the button of a list', 'listButton'),
    ],
    [
      'list',
      choiceLimits.listBody,
      (n) => ({ choices: ['A'], text: text(n) }),
      longer(4096, 'the text of a list', 'text'),
    ],
    [
      'list',
      choiceLimits.footer,
      (n) => ({ choices: ['A'], footerText: text(n) }),
      longer(60, 'a footer', 'footerText'),
    ],
    [
      'list',
      choiceLimits.rowsShown,
      (n) => ({ choices: several(n) }),
      'Some clients show no more than 10 items of a list.',
    ],
    [
      'button',
      choiceLimits.replyButtonsShown,
      (n) => ({ choices: several(n) }),
      'Some clients show no more than 3 reply buttons.',
    ],
    [
      'carousel',
      choiceLimits.cardBody,
      (n) => ({ choices: [`[${text(n)}]`, 'A'] }),
      longer(160, 'the text of a card', 'choices[0]'),
    ],
    [
      'carousel',
      choiceLimits.buttonBody,
      (n) => ({ choices: ['[c]', 'A'], text: text(n) }),
      longer(1024, 'the text of a carousel', 'text'),
    ],
  ]
  for (const [type, shown, make, warning] of rows) {
    it(`${type}: ${warning.slice(0, 80)}`, () => {
      assert.ok(!parseMenu({ type, text: 'T', ...make(shown) }).warnings.includes(warning))
      const { warnings } = parseMenu({ type, text: 'T', ...make(shown + 1) })
      assert.ok(warnings.includes(warning), warnings.join('\n'))
    })
  }

  it('counts characters as readers do, and placeholders as nothing', () => {
    assert.deepEqual(listWarnings('button', [`${'😀'.repeat(20)}|1`]), [])
    assert.deepEqual(listWarnings('button', [`${text(20)}{{lead_fullName}}|1`]), [])
  })

  it('names at most twenty of them', () => {
    const choices = several(30, (index) => `${index}${text(30)}|${index}`)
    assert.match(listWarnings('list', choices).join(), /choices\[19\] and 10 more\./)
  })

  it('tells of ids that are there twice, of a lone card and of a card without an image', () => {
    assert.match(listWarnings('button', ['A|1', 'B|1']).join(), /the id of another one.*: choices\[1\]\./)
    assert.match(listWarnings('list', ['A|1', 'B|1']).join(), /the id of another one.*: choices\[1\]\./)
    assert.deepEqual(listWarnings('carousel', ['[c]', 'A']), [
      'A carousel has at least two cards: one alone is sent as buttons.',
      'Some clients do not show a card without an image: choices[0].',
    ])
  })
})
