import { type Credential, makeCredentialHeader } from './client.js'
import { gatewayUrl } from './places.js'
import { Problem, readProblem } from './problem.js'

/** Time after which the browser has surely begun to write the file. */
const WRITTEN_MS = 60_000

/** Asks for a file and lets the browser save it. @throws Problem if the gateway refuses, or does not answer */
export async function downloadFile(path: string, credential: Credential, body: object, name: string): Promise<void> {
  const response = await fetch(`${gatewayUrl}${path}`, {
    method: 'POST',
    headers: { ...makeCredentialHeader(credential), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
  }).catch(() => {
    throw new Problem('OFFLINE', 0, 'The gateway does not answer.')
  })
  if (!response.ok) throw await readProblem(response)
  const url = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), WRITTEN_MS)
}
