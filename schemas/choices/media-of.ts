import type { CardMedia, Menu } from './menu.js'

/** What must be uploaded before the menu can be sent, in the order in which whoever composes it wants it back. */
export function mediaOf(menu: Menu): readonly CardMedia[] {
  switch (menu.type) {
    case 'button':
      return menu.image === undefined ? [] : [{ kind: 'image', source: menu.image }]
    case 'carousel':
      return menu.cards.flatMap(({ media }) => media ?? [])
    default:
      return []
  }
}
