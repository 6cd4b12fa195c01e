import type { Button, Menu } from './menu.js'

/**
 * The menu with every text that a reader sees passed through `fill`: for placeholders. Ids, phone numbers and addresses stay as they are,
 * but an id that was not given goes on being equal to its text.
 */
export function fillMenu(menu: Menu, fill: (text: string) => string): Menu {
  const text = fill(menu.text)
  switch (menu.type) {
    case 'button':
      return { ...menu, text, ...footer(menu, fill), buttons: menu.buttons.map((button) => fillButton(button, fill)) }
    case 'list':
      return {
        ...menu,
        text,
        ...footer(menu, fill),
        opener: fill(menu.opener),
        sections: menu.sections.map(({ title, rows }) => ({
          title: fill(title),
          rows: rows.map((row) => ({
            ...withText(row, fill),
            ...(row.description === undefined ? {} : { description: fill(row.description) }),
          })),
        })),
      }
    case 'poll':
      return { ...menu, text, options: menu.options.map((option) => ({ ...option, text: fill(option.text) })) }
    case 'carousel':
      return {
        ...menu,
        text,
        cards: menu.cards.map((card) => ({
          ...card,
          text: fill(card.text),
          buttons: card.buttons.map((button) => fillButton(button, fill)),
        })),
      }
    default:
      return menu satisfies never
  }
}

function fillButton(button: Button, fill: (text: string) => string): Button {
  switch (button.kind) {
    case 'reply':
      return withText(button, fill)
    case 'copy':
      return { ...button, text: fill(button.text), code: fill(button.code) }
    default:
      return { ...button, text: fill(button.text) }
  }
}

function withText<T extends { readonly text: string; readonly id: string }>(one: T, fill: (text: string) => string): T {
  const text = fill(one.text)
  return { ...one, text, id: one.id === one.text ? text : one.id }
}

function footer(menu: { readonly footer?: string }, fill: (text: string) => string): { footer?: string } {
  return menu.footer === undefined ? {} : { footer: fill(menu.footer) }
}
