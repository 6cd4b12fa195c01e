import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../support/eventually.js'
import { chooseAt, hasFocus, keepsFocus, pressAt, turnAt, typeAt } from '../../support/keyboard.js'
import { openShop, type Walker } from './walker.js'

type Json = Record<string, unknown>

/** Agents and what belongs to them: each is made, changed and deleted. */
export function walkTheAgents(given: () => Walker): void {
  it('makes, changes and deletes an agent with its trigger, a function and knowledge', async (t) => {
    const { shop } = given()
    const read = async (path: string) => (await shop.call<Json[]>('GET', path)).body
    const page = await openShop(t, given(), '/agents')
    await pressAt(page, page.getByRole('button', { name: 'New agent' }))
    const form = page.getByRole('dialog')
    await typeAt(page, form.getByLabel('Name', { exact: true }), 'Bia')
    await chooseAt(page, form.getByLabel('Provider', { exact: true }), 'anthropic')
    await typeAt(page, form.getByLabel('Model', { exact: true }), 'some-model')
    await typeAt(page, form.getByLabel('Key of the provider'), 'sk-0123456789abcdef')
    await turnAt(page, form.getByLabel('Sign messages with the name'))
    await saves(page, page.getByRole('button', { name: 'New agent' }))
    const [agent] = await read('/agent/list')
    assert.deepEqual([agent?.name, agent?.provider, agent?.signMessages], ['Bia', 'anthropic', true])
    await changes(page, 'Name', 'Bia of the shop')
    assert.equal((await read('/agent/list'))[0]?.name, 'Bia of the shop')

    await pressAt(page, page.getByRole('button', { name: 'Triggers' }))
    await pressAt(page, page.getByRole('button', { name: 'New trigger' }))
    await typeAt(page, form.getByLabel('Phrases that start it'), 'hello')
    await chooseAt(page, form.getByLabel('Field of the lead'), 'lead_status')
    await chooseAt(page, form.getByLabel('Comparison'), 'not_equals')
    await typeAt(page, form.getByLabel('Value'), 'lost')
    await saves(page, page.getByRole('button', { name: 'New trigger' }))
    const [trigger] = await read('/trigger/list')
    assert.deepEqual([trigger?.wordsToStart, trigger?.lead_operator, trigger?.active], ['hello', 'not_equals', true])
    await changes(page, 'Priority', '7')
    assert.equal((await read('/trigger/list'))[0]?.priority, 7)
    await removes(page, 'There is no trigger yet')
    assert.deepEqual(await read('/trigger/list'), [])

    await pressAt(page, page.getByRole('button', { name: 'Settings', exact: true }))
    await turnAt(page, page.getByLabel('Agents answer'))
    await typeAt(page, page.getByLabel('Word that stops the agents in a chat'), 'person')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await keepsFocus(page, 'a save')
    const { body } = await shop.call<{ instance: Json }>('GET', '/instance/status')
    assert.equal(body.instance.chatbot_stopConversation, 'person')
    await pressAt(page, page.getByRole('button', { name: 'Agents', exact: true }))
    await removes(page, 'There is no agent yet')
    assert.deepEqual(await read('/agent/list'), [])

    await pressAt(page, page.getByRole('link', { name: 'Functions' }))
    await pressAt(page, page.getByRole('button', { name: 'New function' }))
    await typeAt(page, form.getByLabel('Name', { exact: true }), 'find_order')
    await chooseAt(page, form.getByLabel('Method'), 'POST')
    await typeAt(page, form.getByLabel('Address, with {{placeholders}}'), 'https://api.example/orders/{{order}}')
    await pressAt(page, form.getByRole('button', { name: 'Add a parameter' }))
    await typeAt(page, form.getByLabel('Name of the parameter'), 'order')
    await chooseAt(page, form.getByLabel('Type'), 'integer')
    await saves(page, page.getByRole('button', { name: 'New function' }))
    const [made] = await read('/function/list')
    assert.deepEqual([made?.name, made?.method], ['find_order', 'POST'])
    await changes(page, 'Description for the model', 'Finds an order')
    await removes(page, 'There is no function yet')
    assert.deepEqual(await read('/function/list'), [])

    await pressAt(page, page.getByRole('link', { name: 'Knowledge' }))
    await pressAt(page, page.getByRole('button', { name: 'New entry' }))
    await typeAt(page, form.getByLabel('Title'), 'Hours')
    await typeAt(page, form.getByLabel('Text, or address of a page or file'), 'Open on Mondays.')
    await saves(page, page.getByRole('button', { name: 'New entry' }))
    await page.getByText('found by words').waitFor()
    await typeAt(page, page.getByLabel('Question'), 'Mondays')
    await page.keyboard.press('Enter')
    await page.getByText('Open on Mondays.').waitFor()
    await keepsFocus(page, 'a search')
    await changes(page, 'Title', 'Opening hours')
    assert.equal((await read('/knowledge/list'))[0]?.tittle, 'Opening hours')
    await removes(page, 'There is no knowledge yet')
    assert.deepEqual(await read('/knowledge/list'), [])
  })
}

/** Saves the form of a dialog, which gives the focus back. */
async function saves(page: Page, opener: Locator): Promise<void> {
  await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await hasFocus(opener, 'a save')
}

/** Changes a field of the only record. */
async function changes(page: Page, label: string, value: string): Promise<void> {
  const opener = page.getByRole('main').getByRole('button', { name: 'Edit' })
  await pressAt(page, opener)
  await typeAt(page, page.getByRole('dialog').getByLabel(label, { exact: true }).first(), value)
  await saves(page, opener)
}

/** Deletes the only record. */
async function removes(page: Page, none: string): Promise<void> {
  const opener = page.getByRole('main').getByRole('button', { name: 'Delete', exact: true })
  const dialog = page.getByRole('dialog')
  await pressAt(page, opener)
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await hasFocus(opener, 'Escape')
  await page.keyboard.press('Enter')
  await pressAt(page, dialog.getByRole('button', { name: 'Delete', exact: true }))
  await page.getByText(none).waitFor()
  await eventually(async () => (await dialog.count()) === 0)
  await keepsFocus(page, 'a deletion')
}
