import { it } from 'node:test'
import { eventually } from '../../support/eventually.js'
import { hasFocus, keepsFocus, pressAt, turnAt } from '../../support/keyboard.js'
import { ANA, openShop, type Walker } from './walker.js'

/** Deliveries that a receiver refused for too long. */
export function walkTheDeadLetters(given: () => Walker): void {
  it('looks at a dead letter, and replays it and all that fit', async (t) => {
    const { world, shop, receiver } = given()
    await shop.hook(receiver.url)
    t.after(() => shop.unhook())
    receiver.answer(400)
    const ids = [await world.write(ANA, shop.number, 'one'), await world.write(ANA, shop.number, 'two')]
    await eventually(
      async () => (await shop.call<{ total: number }>('GET', '/webhook/deadletters')).body.total,
      (total) => total === 2,
    )
    receiver.answer(200)
    const page = await openShop(t, given(), '/webhooks?view=dead')
    const dialog = page.getByRole('dialog')
    const open = page.getByRole('main').getByRole('button', { name: 'Open', exact: true }).first()
    await pressAt(page, open)
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await hasFocus(open, 'a dead letter was shown')
    await turnAt(page, page.getByRole('checkbox', { name: /^Choose messages of / }).first())
    await pressAt(page, page.getByRole('button', { name: 'Replay 1 chosen' }))
    await pressAt(page, dialog.getByRole('button', { name: 'Deliver again' }))
    await page.getByText('1 dead letter fits.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await keepsFocus(page, 'a replay')
    await pressAt(page, page.getByRole('button', { name: 'Replay all 1 that fit' }))
    await pressAt(page, dialog.getByRole('button', { name: 'Deliver again' }))
    await page.getByText('There is no dead letter.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await keepsFocus(page, 'the last replay')
    for (const id of ids) await receiver.message(id)
  })
}
