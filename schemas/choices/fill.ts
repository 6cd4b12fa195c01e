import { dialable, PLACEHOLDER, webAddress } from './button-values.js'
import type { Button, Menu } from './menu.js'

// Bound: 65,536, a value of a button.

/** A list needs a label on the button that opens it, and a menu that was made for buttons has none. */
export const DEFAULT_LIST_BUTTON = 'Menu'

/**
 * The menu with every text, phone number and address passed through `fill`: for placeholders. A number or an address that is none any
 * more becomes empty. Ids stay as they are, since they come back as they were asked for, but one that was not given goes on being equal
 * to its text.
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
        opener: fill(menu.opener) || DEFAULT_LIST_BUTTON,
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
    case 'call':
      return { ...button, text: fill(button.text), phone: filledPhone(button.phone, fill) }
    case 'url':
      return { ...button, text: fill(button.text), url: filledAddress(button.url, fill) }
    default:
      return button satisfies never
  }
}

function filledPhone(phone: string, fill: (text: string) => string): string {
  return phone.includes('{{') ? (dialable(fill(phone)) ?? '') : phone
}

/**
 * Fills an address with values. A name that a person chose must neither break the address nor lead elsewhere: each value is escaped for its
 * place, and in the name of a host only a part of a name is allowed. A value at the start may be the whole address, or its beginning.
 */
function filledAddress(url: string, fill: (text: string) => string): string {
  if (!url.includes('{{')) return url
  let isHost = true
  const filled = url.replace(PLACEHOLDER, (placeholder, at: number) => {
    const value = fill(placeholder)
    if (value === placeholder) return value
    const before = url.slice(0, at)
    if (/^mailto:$/i.test(before)) return value.trim().replace(/[\s?&]/g, '')
    if (before === '') return value.trim().replace(/\s/g, encodeURIComponent)
    if (/[?#]/.test(before)) return escaped(value)
    if (/^https?:\/\/[^/]*$/i.test(before)) isHost &&= /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value)
    return escaped(value).replaceAll('%2F', '/')
  })
  return isHost ? (webAddress(filled) ?? '') : ''
}

/** A half of a pair of surrogates, which a text may hold, has no form in an address. */
function escaped(value: string): string {
  return encodeURIComponent(value.replace(/\p{Cs}/gu, ''))
}

function withText<T extends { readonly text: string; readonly id: string }>(one: T, fill: (text: string) => string): T {
  const text = fill(one.text)
  return { ...one, text, id: one.id === one.text ? text : one.id }
}

function footer(menu: { readonly footer?: string }, fill: (text: string) => string): { footer?: string } {
  return menu.footer === undefined ? {} : { footer: fill(menu.footer) }
}
