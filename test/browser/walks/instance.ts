import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { chooseAt, hasFocus, keepsFocus, moveTo, pressAt, tabTo, turnAt, typeAt } from '../../support/keyboard.js'
import { openSignedIn } from '../../support/sign-in.js'
import { ANA, openShop, type Walker } from './walker.js'

type Json = Record<string, unknown>

const DAY_MS = 86_400_000

/** Messages that wait for their time. */
export function walkTheSchedule(given: () => Walker): void {
  it('makes, changes and takes back a scheduled message', async (t) => {
    const { shop } = given()
    const waiting = async () => (await shop.call<{ messages: Json[] }>('GET', '/message/scheduled')).body.messages
    const page = await openShop(t, given(), '/scheduled')
    await typeAt(page, page.getByLabel('To', { exact: true }), ANA)
    await typeAt(page, page.getByLabel('Message', { exact: true }), 'See you')
    await pressAt(page, page.getByRole('button', { name: 'Schedule', exact: true }))
    await page.getByRole('cell', { name: 'See you' }).waitFor()
    await keepsFocus(page, 'a message was scheduled')
    assert.equal((await waiting()).length, 1)

    const change = page.getByRole('button', { name: 'Change', exact: true })
    const dialog = page.getByRole('dialog')
    await pressAt(page, change)
    await tabTo(page, dialog.getByLabel('Leaves'))
    // The parts of a time: month, day and year, then hour, minute and half of the day.
    const day = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10)
    await page.keyboard.type(`${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0930AM')
    await typeAt(page, dialog.getByLabel('Text', { exact: true }), 'See you at six')
    await pressAt(page, dialog.getByRole('button', { name: 'Save' }))
    await page.getByRole('cell', { name: 'See you at six' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await hasFocus(change, 'a change')
    const [changed] = await waiting()
    const { schedule } = changed as { schedule: { send_at: number } }
    assert.equal(new Date(schedule.send_at).toISOString().slice(0, 16), `${day}T09:30`)

    const cancel = page.getByRole('button', { name: 'Do not send', exact: true })
    await pressAt(page, cancel)
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await hasFocus(cancel, 'Escape')
    await page.keyboard.press('Enter')
    await pressAt(page, dialog.getByRole('button', { name: 'Do not send', exact: true }))
    await page.getByText('No message waits.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await keepsFocus(page, 'a message was taken back')
    assert.deepEqual(await waiting(), [])
    await chooseAt(page, page.getByLabel('State', { exact: true }), 'canceled')
    await page.getByRole('cell', { name: 'See you at six' }).waitFor()
  })
}

/** Settings of an instance, to its deletion. */
export function walkTheSettings(given: () => Walker): void {
  it('changes the settings of an instance, makes another token, and deletes the instance', async (t) => {
    const { world, browser } = given()
    const made = await world.instance('Kiosk')
    const session = await browser.session(t, world.gateway.url)
    const { page, expect } = session
    // A stream that opens again meanwhile finds the former token, and no instance.
    expect(/status of 40[14]/)
    await openSignedIn(session, world.gateway, `/instances/${made.id}/settings`)
    await typeAt(page, page.getByLabel('Name of the instance'), 'Kiosk two')
    await saves(page, 'Name')
    await typeAt(page, page.getByLabel('Code of two letters'), 'br')
    await saves(page, 'Country of national numbers')
    await typeAt(page, page.getByLabel('First note'), 'By the door')
    await typeAt(page, page.getByLabel('Tags', { exact: true }), 'door, north')
    await saves(page, 'Notes and tags of the administrator')
    await typeAt(page, page.getByLabel('Field 1', { exact: true }), 'Plan')
    await saves(page, 'Names of lead fields')
    await typeAt(page, page.getByLabel('Shortest pause in seconds'), '2')
    await typeAt(page, page.getByLabel('Longest pause in seconds'), '5')
    await saves(page, 'Pace of queued sends')
    await turnAt(page, page.getByLabel('Reject calls of people'))
    await typeAt(page, page.getByLabel('Text to the caller'), 'Please write')
    await saves(page, 'Calls')
    const { instance } = await made.status()
    const { name, defaultCountry, adminField01, tags, msg_delay_min, msg_delay_max, fieldsMap } = instance
    assert.deepEqual(
      [name, defaultCountry, adminField01, tags, msg_delay_min, msg_delay_max, (fieldsMap as Json).lead_field01],
      ['Kiosk two', 'BR', 'By the door', ['door', 'north'], 2, 5, 'Plan'],
    )
    const calls = (await made.call<{ people: Json }>('GET', '/instance/callsettings')).body
    assert.deepEqual(calls.people, { reject: true, text: 'Please write' })

    const curl = page.getByRole('region', { name: 'Calls' }).getByRole('button', { name: 'Show as curl' })
    const dialog = page.getByRole('dialog')
    await pressAt(page, curl)
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await hasFocus(curl, 'Escape')

    const opener = page.getByRole('button', { name: 'Make another token' })
    await pressAt(page, opener)
    await chooseAt(page, dialog.getByLabel('The former token ends'), '0')
    await pressAt(page, dialog.getByRole('button', { name: 'Make another token' }))
    await page.getByRole('dialog', { name: 'The new token' }).waitFor()
    const token = await dialog.locator('pre').innerText()
    await pressAt(page, dialog.getByRole('button', { name: 'I have stored it' }))
    await dialog.waitFor({ state: 'detached' })
    await hasFocus(opener, 'another token was made')
    assert.equal((await made.call('GET', '/instance/status')).status, 401)
    assert.equal((await world.gateway.call('GET', '/instance/status', { token })).status, 200)

    await pressAt(page, page.getByRole('button', { name: 'Delete the instance' }))
    await typeAt(page, dialog.getByLabel('Type “Kiosk two” to confirm'), 'Kiosk two')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Instances', level: 1 }).waitFor()
    await keepsFocus(page, 'an instance was deleted')
    assert.equal((await world.gateway.call('GET', '/instance/status', { token })).status, 401)
  })
}

/** Saves one group of settings from the field in it that has the focus. */
async function saves(page: Page, title: string): Promise<void> {
  const part = page.getByRole('region', { name: title, exact: true })
  const button = part.getByRole('button', { name: 'Save' })
  await moveTo(page, button, 'Tab')
  await page.keyboard.press('Enter')
  await part.getByText('Saved.').waitFor()
  await hasFocus(button, 'a save')
}
