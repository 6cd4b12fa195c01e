#!/usr/bin/env node
/** `posthorn`: starts a gateway, and talks to one, from a terminal. */
import { PosthornError } from '../clients/typescript/src/index.js'
import { commands, USAGE } from './commands.js'
import { type Output, UsageError } from './options.js'

const output: Output = {
  write: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
}

// A reader such as `head` has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const [name = '', ...typed] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined) {
  const isAsked = ['help', '--help', '-h'].includes(name)
  ;(isAsked ? output.write : output.note)(USAGE)
  process.exitCode = isAsked ? 0 : 2
} else {
  try {
    process.exitCode = await command(typed, output)
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1
    output.note(`${describeError(error)}\n`)
  }
}

function describeError(error: unknown): string {
  if (error instanceof PosthornError) return `${error.code}: ${error.message}${formatDetails(error)}`
  return error instanceof Error ? error.message : String(error)
}

function formatDetails({ details, requestId }: PosthornError): string {
  const shown = details === undefined ? '' : `\n${JSON.stringify(details, null, 2)}`
  return requestId === undefined ? shown : `${shown}\nRequest ${requestId}`
}
