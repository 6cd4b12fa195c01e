import type { Button, Menu } from './menu.js'

/**
 * The menu as a plain text that any client shows, for when the network or a client takes no native one: every choice has a number, counted
 * through, so that "2" is an answer.
 */
export function fallbackText(menu: Menu): string {
  const lines = numbered()
  switch (menu.type) {
    case 'button':
      return joined(menu.text, [menu.buttons.map((button) => lines(sayButton(button)))], menu.footer)
    case 'list': {
      const sections = menu.sections.map(({ title, rows }) => [
        ...(title === '' ? [] : [`*${title}*`]),
        ...rows.map(({ text, description }) => lines(description === undefined ? text : `${text}: ${description}`)),
      ])
      return joined(menu.text, sections, menu.footer)
    }
    case 'poll':
      return joined(menu.text, [menu.options.map(({ text }) => lines(text))])
    case 'carousel': {
      const cards = menu.cards.map(({ text, buttons }) => [text, ...buttons.map((button) => lines(sayButton(button)))])
      return joined(menu.text, cards)
    }
    default:
      return menu satisfies never
  }
}

function numbered(): (line: string) => string {
  let number = 0
  return (line) => {
    number += 1
    return `${number}. ${line}`
  }
}

/** Describes the effect of a tap, so that a reader can do it by hand. */
function sayButton(button: Button): string {
  switch (button.kind) {
    case 'reply':
      return button.text
    case 'copy':
      return `${button.text}: ${button.code}`
    case 'call':
      return `${button.text}: ${button.phone}`
    case 'url':
      return `${button.text}: ${button.url}`
    default:
      return button satisfies never
  }
}

function joined(text: string, blocks: readonly (readonly string[])[], footer?: string): string {
  const parts = [text, ...blocks.map((block) => block.join('\n')), ...(footer === undefined ? [] : [`_${footer}_`])]
  return parts.filter((part) => part !== '').join('\n\n')
}
