import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../../support/eventually.js'
import { hasFocus, keepsFocus, pressAt, tabTo, turnAt, typeAt } from '../../support/keyboard.js'
import { ANA, BEN, openShop, type Walker } from './walker.js'

type Json = Record<string, unknown>

/** Groups with their members. */
export function walkTheGroups(given: () => Walker): void {
  it('makes a group, changes its members, its name and its settings, and leaves it', async (t) => {
    const { shop } = given()
    const page = await openShop(t, given(), '/groups')
    const dialog = page.getByRole('dialog').last()
    const opener = page.getByRole('button', { name: 'New group' })
    await pressAt(page, opener)
    await typeAt(page, dialog.getByLabel('Name', { exact: true }), 'Buyers')
    await typeAt(page, dialog.getByLabel('Members', { exact: true }), ANA)
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'Buyers' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await hasFocus(opener, 'a group was made')

    const group = async () => {
      const [one] = (await shop.call<{ groups: Json[] }>('GET', '/group/list')).body.groups
      return shop.done<{ JID: string; Name: string; IsLocked: boolean; Participants: Json[] }>('/group/info', {
        groupjid: one?.JID,
      })
    }
    const details = page.getByRole('button', { name: 'Open', exact: true })
    await pressAt(page, details)
    await typeAt(page, page.getByRole('dialog').getByLabel('Add people', { exact: true }), BEN)
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('row', { name: new RegExp(BEN) })
      .waitFor()
    await keepsFocus(page, 'people were added')
    await turnAt(page, page.getByRole('dialog').getByLabel(new RegExp(`Choose \\+${BEN}`)))
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Make admin' }))
    await page
      .getByRole('dialog')
      .getByRole('row', { name: new RegExp(`${BEN}.*Admin`) })
      .waitFor()
    await keepsFocus(page, 'a promotion')
    await turnAt(page, page.getByRole('dialog').getByLabel(new RegExp(`Choose \\+${BEN}`)))
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }))
    await pressAt(page, dialog.getByRole('button', { name: 'Remove', exact: true }))
    await page
      .getByRole('dialog')
      .getByRole('row', { name: new RegExp(BEN) })
      .waitFor({ state: 'detached' })
    await eventually(async () => (await page.getByRole('dialog').count()) === 1)
    await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }), 'a removal')
    assert.equal((await group()).Participants.length, 2)

    await typeAt(page, page.getByRole('dialog').getByLabel('Name', { exact: true }), 'Best buyers')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Best buyers' }).waitFor()
    await keepsFocus(page, 'a new name')
    await tabTo(page, page.getByRole('dialog').getByLabel('Only admins change name, picture and description'))
    await page.keyboard.press('Space')
    await eventually(group, ({ Name, IsLocked }) => Name === 'Best buyers' && IsLocked)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await hasFocus(details, 'the details')

    await pressAt(page, details)
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Leave' }))
    await pressAt(page, dialog.getByRole('button', { name: 'Leave', exact: true }))
    await page.getByText('The account is in no group.').waitFor()
    await keepsFocus(page, 'a group was left')
    assert.deepEqual((await shop.call<{ groups: Json[] }>('GET', '/group/list')).body.groups, [])
  })
}
