/** Prepares what every story of the demo needs: a folder, the simulated network, and what must be undone in the end. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startProgram } from './program.js'
import type { Transcript } from './transcript.js'

export interface Stage {
  readonly tell: Transcript
  /** Of this run alone; removed in the end. */
  readonly folder: string
  readonly controlUrl: string
  /** For every gateway: the way to the network, webhooks to this machine, no pauses between messages. */
  readonly environment: Readonly<Record<string, string>>
  /** Undone in the end, the last one first. */
  undo(work: () => Promise<void> | void): void
}

/** Texts at the end of a story that went well. */
export interface Ending {
  readonly summary: string
  readonly toPlayWith: readonly string[]
}

export type Story = (stage: Stage) => Promise<Ending>

export async function setStage(tell: Transcript, undo: Stage['undo']): Promise<Stage> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-demo-'))
  undo(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const sandbox = await startProgram('sandbox.js', {}, /^\{"websocketUrl".*\}$/)
  undo(sandbox.stop)
  const network = JSON.parse(sandbox.said[0]) as {
    websocketUrl: string
    noiseRootKeyHex: string
    controlUrl: string
    mediaCaFile: string
  }
  return {
    tell,
    folder,
    controlUrl: network.controlUrl,
    environment: {
      WA_WEBSOCKET_URL: network.websocketUrl,
      WA_NOISE_ROOT_KEY: network.noiseRootKeyHex,
      WA_MEDIA_CA_FILE: network.mediaCaFile,
      ALLOW_PRIVATE_ADDRESSES: 'true',
      SEND_DELAY_MIN_MS: '0',
      SEND_DELAY_MAX_MS: '0',
      SEND_RATE_PER_MINUTE: '0',
      // The usual one may be in use, by another demo for example.
      PEER_PORT: '0',
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
    },
    undo,
  }
}
