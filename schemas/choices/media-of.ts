import type { CardMedia, Menu } from './menu.js'

/** Lists the media to upload before the menu can be sent, in the order in which the composer takes the uploads. */
export function mediaOf(menu: Menu): readonly CardMedia[] {
  switch (menu.type) {
    case 'button':
      return menu.image === undefined ? [] : [{ at: 'imageButton', kind: 'image', source: menu.image }]
    case 'carousel':
      return menu.cards.flatMap(({ media }) => media ?? [])
    default:
      return []
  }
}

/** The same without what its media are made from, which may be large; how many there are and of what kind stays. */
export function withoutSources(menu: Menu): Menu {
  const source = { from: 'url', url: '' } as const
  switch (menu.type) {
    case 'button':
      return menu.image === undefined ? menu : { ...menu, image: source }
    case 'carousel': {
      const cards = menu.cards.map((card) =>
        card.media === undefined ? card : { ...card, media: { ...card.media, source } },
      )
      return { ...menu, cards }
    }
    default:
      return menu
  }
}
