import assert from 'node:assert/strict'
import { it } from 'node:test'
import { announcement } from './api.js'

const url = 'http://127.0.0.1:3000'
const newToken = { token: 'made-now', file: '/data/secrets.json', code: 'phc_1' }

it('shows the dashboard first, with the code of the first start and the token that is shown once', () => {
  const [first, ...others] = splitLines(announcement({ url, hasDashboard: true, newToken }))
  assert.equal(first, 'Dashboard: http://127.0.0.1:3000/dashboard/#welcome=phc_1')
  assert.ok(others.includes("Administrator's token:  made-now"))
})

it('shows no code where there is none, and no dashboard where it is not built', () => {
  assert.equal(splitLines(announcement({ url, hasDashboard: true, newToken: null }))[0], `Dashboard: ${url}/dashboard/`)
  const bare = announcement({ url, hasDashboard: false, newToken })
  assert.doesNotMatch(bare, /ashboard|welcome|phc_/)
  assert.match(bare, /made-now/)
})

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('─'))
}
