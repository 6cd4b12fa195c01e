import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../support/eventually.js'
import { chooseAt, chooseFile, hasFocus, keepsFocus, moveTo, pressAt, tabTo, typeAt } from '../../support/keyboard.js'
import { ANA, ANAS_CHAT, openShop, type Walker } from './walker.js'

interface Drawn {
  readonly id: string
  readonly own: boolean
  readonly text: string
  readonly deleted: boolean
  readonly edited: boolean
  readonly reactions: readonly { readonly text: string }[]
  readonly media: readonly { readonly fileName: string; readonly caption: string }[]
  readonly menu: Readonly<Record<string, unknown>> | null
  readonly poll: { readonly options: readonly { readonly text: string }[] } | null
  readonly message: Readonly<Record<string, unknown>>
}

/** Input for each kind of message, and how the phone recognises it. */
interface Sent {
  readonly kind: string
  readonly write: (page: Page, composer: Locator) => Promise<void>
  readonly isIt: (message: Drawn) => boolean
}

/** Every kind that the composer builds, a reaction, an edit and a deletion. */
export function walkTheComposer(given: () => Walker, folder: () => string): void {
  it('sends a file, a place, a contact, buttons, a list, a carousel and a poll', async (t) => {
    const { world } = given()
    const file = path.join(folder(), 'prices.txt')
    writeFileSync(file, 'Bread 2\n'.repeat(50))
    const page = await openShop(t, given(), `/chats?chat=${encodeURIComponent(ANAS_CHAT)}`)
    chooseFile(page, file)
    const opener = page.getByRole('button', { name: 'More kinds of messages' })
    const composer = page.getByRole('form', { name: 'New message' })
    for (const { kind, write, isIt } of KINDS) {
      await pressAt(page, opener)
      await pressAt(page, composer.getByRole('button', { name: 'Choose another kind' }))
      await moveTo(page, page.getByRole('menuitemradio', { name: kind, exact: true }), 'ArrowDown')
      await page.keyboard.press('Enter')
      await hasFocus(composer.getByRole('button', { name: 'Choose another kind' }), `the choice of ${kind}`)
      await write(page, composer)
      await pressAt(page, composer.getByRole('button', { name: 'Send', exact: true }))
      await composer.waitFor({ state: 'detached' })
      await hasFocus(opener, `the send of ${kind}`)
      const arrived = () => world.network<Drawn[]>('GET', `/phones/${ANA}/messages`)
      await eventually(arrived, (messages) => messages.some(isIt)).catch(async () =>
        assert.fail(
          `${kind} has not reached the phone as it was written: ${JSON.stringify((await arrived()).at(-1))} ${await page.getByRole('alert').allInnerTexts()}`,
        ),
      )
    }
    await pressAt(page, opener)
    await composer.waitFor()
    await page.keyboard.press('Escape')
    await composer.waitFor({ state: 'detached' })
    await hasFocus(opener, 'Escape')
  })

  it('reacts to a message, takes that back, and edits an own one', async (t) => {
    const { world, shop } = given()
    const first = await world.write(ANA, shop.number, 'What do you think?')
    const page = await openShop(t, given(), `/chats?chat=${encodeURIComponent(ANAS_CHAT)}`)
    const log = page.getByRole('log')
    const question = log.locator('article', { hasText: 'What do you think?' })
    const reactions = async () =>
      (await world.network<Drawn[]>('GET', `/phones/${ANA}/sent`))
        .find(({ id }) => id === first)
        ?.reactions.map(({ text }) => text)
    await openMenu(page, question)
    await moveTo(page, page.getByRole('menuitem', { name: 'React: ❤️' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await question.getByText('❤️').waitFor()
    await hasFocus(question.getByRole('button', { name: /^Actions for/ }), 'a reaction')
    await eventually(reactions, (now) => now?.includes('❤️') === true)
    await openMenu(page, question)
    await moveTo(page, page.getByRole('menuitem', { name: 'Take the reaction back' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await question.getByText('❤️').waitFor({ state: 'detached' })
    await eventually(reactions, (now) => now?.includes('❤️') === false)

    await typeAt(page, page.getByLabel('Write a message'), 'I like to')
    await page.keyboard.press('Enter')
    const own = log.locator('article', { hasText: 'I like' })
    await own.locator('[data-status="delivered"]').waitFor()
    await openMenu(page, own)
    await moveTo(page, page.getByRole('menuitem', { name: 'Edit' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await typeAt(page, page.getByRole('dialog').getByLabel('Message'), 'I like two')
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keepsFocus(page, 'an edit')
    await log.getByText('I like two', { exact: true }).waitFor()
    await eventually(
      () => world.network<Drawn[]>('GET', `/phones/${ANA}/messages?text=${encodeURIComponent('I like two')}`),
      (shown) => shown.some(({ edited }) => edited),
    )
  })
}

/** Opens the menu of a message, by way of the end of the chat: the network tells seconds only, so that those of one second may change places. */
async function openMenu(page: Page, row: Locator): Promise<void> {
  await tabTo(page, page.getByRole('log'))
  await page.keyboard.press('End')
  await moveTo(page, row, 'ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('menu').waitFor()
}

/** Opens the window of the system for a file. What opened it makes room for the button that takes the file back. */
async function giveFile(page: Page, part: Locator): Promise<void> {
  await pressAt(page, part.getByLabel('Choose a file'))
  await part.getByRole('button', { name: 'Remove the file' }).waitFor()
  await keepsFocus(page, 'the choice of a file')
}

const KINDS: readonly Sent[] = [
  {
    kind: 'Document',
    async write(page, composer) {
      await giveFile(page, composer)
      await typeAt(page, composer.getByLabel('Caption'), 'Our prices')
    },
    isIt: ({ media }) => media.some(({ fileName, caption }) => fileName === 'prices.txt' && caption === 'Our prices'),
  },
  {
    kind: 'Place',
    async write(page, composer) {
      await typeAt(page, composer.getByLabel('Latitude'), '-23.55')
      await typeAt(page, composer.getByLabel('Longitude'), '-46.63')
      await typeAt(page, composer.getByLabel('Name of the place'), 'Centre')
    },
    isIt: ({ message }) => 'locationMessage' in message,
  },
  {
    kind: 'Contact',
    async write(page, composer) {
      await typeAt(page, composer.getByLabel('Name', { exact: true }), 'Bia')
      await typeAt(page, composer.getByLabel('Numbers'), '5511999990003')
    },
    isIt: ({ message }) => 'contactMessage' in message,
  },
  {
    kind: 'Buttons',
    async write(page, composer) {
      await typeAt(page, composer.getByLabel('Text', { exact: true }), 'Shall we?')
      await typeAt(page, composer.getByLabel('Label'), 'Yes')
      await pressAt(page, composer.getByRole('button', { name: 'Add a button' }))
      const second = composer.getByRole('group', { name: 'Button 2' })
      await typeAt(page, second.getByLabel('Label'), 'Site')
      await chooseAt(page, second.getByLabel('It', { exact: true }), 'url')
      await typeAt(page, second.getByLabel('Address'), 'https://example.com/')
      // The rows change places, and one goes again.
      await pressAt(page, composer.getByRole('button', { name: 'Move up: Button 2' }))
      await keepsFocus(page, 'a move up')
      await pressAt(page, composer.getByRole('button', { name: 'Add a button' }))
      await pressAt(page, composer.getByRole('button', { name: 'Remove: Button 3' }))
      await composer.getByRole('group', { name: 'Button 3' }).waitFor({ state: 'detached' })
      await keepsFocus(page, 'a removal')
    },
    isIt: ({ menu }) => {
      const buttons = menu?.buttons as readonly { readonly text: string }[] | undefined
      return buttons?.map(({ text }) => text).join() === 'Site,Yes'
    },
  },
  {
    kind: 'List',
    async write(page, composer) {
      await typeAt(page, composer.getByLabel('Text', { exact: true }).first(), 'Choose')
      await typeAt(page, composer.getByLabel('Title'), 'Phones')
      await typeAt(page, composer.getByRole('group', { name: 'Item 1' }).getByLabel('Text', { exact: true }), 'One')
    },
    isIt: ({ menu }) => menu?.type === 'list',
  },
  {
    kind: 'Carousel',
    async write(page, composer) {
      await typeAt(page, composer.getByLabel('Text', { exact: true }), 'Look')
      for (const card of ['Card 1', 'Card 2']) {
        const inside = composer.getByRole('group', { name: card })
        await typeAt(page, inside.getByLabel('Text of the card'), card)
        await chooseAt(page, inside.getByLabel('It shows'), 'document')
        await giveFile(page, inside)
        await typeAt(page, inside.getByLabel('Label'), `Take ${card}`)
      }
    },
    isIt: ({ menu }) => menu?.type === 'carousel',
  },
  {
    kind: 'Poll',
    async write(page, composer) {
      await typeAt(page, composer.getByLabel('Question'), 'Colour?')
      await typeAt(page, composer.getByRole('group', { name: 'Option 1' }).getByLabel('Text'), 'Red')
      await typeAt(page, composer.getByRole('group', { name: 'Option 2' }).getByLabel('Text'), 'Blue')
    },
    isIt: ({ poll }) => poll?.options.map(({ text }) => text).join() === 'Red,Blue',
  },
]
