import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type BrowserPlace, openBrowser } from './api.js'

const url = 'http://127.0.0.1:3000/dashboard/#welcome=phc_1'

function opened({ isThere = true, ...place }: Partial<BrowserPlace> & { isThere?: boolean }) {
  const started: string[] = []
  const said: string[] = []
  openBrowser(url, (sentence) => said.push(sentence), {
    platform: 'linux',
    env: {},
    start(program, args, onError) {
      started.push([program, ...args].join(' '))
      if (!isThere) onError()
    },
    ...place,
  })
  return { started, said }
}

it('opens the page with the opener of the system', () => {
  assert.deepEqual(opened({ platform: 'darwin' }).started, [`open ${url}`])
  assert.deepEqual(opened({ platform: 'win32' }).started, [`rundll32 url.dll,FileProtocolHandler ${url}`])
  assert.deepEqual(opened({ env: { WAYLAND_DISPLAY: 'wayland-0' } }), { started: [`xdg-open ${url}`], said: [] })
})

it('says so where there is no browser', () => {
  for (const place of [{}, { env: { DISPLAY: ':0' }, isThere: false }])
    assert.match(opened(place).said.join(), /open the address of the dashboard yourself/)
})
