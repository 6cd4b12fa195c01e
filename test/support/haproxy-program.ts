import type { FetchedProgram } from '../../runtime/embedded/debian-program.js'
import { findProgram } from './find-program.js'

/** Finds the HAProxy to run. @throws what apt says when there is none */
export function findHaproxy(): Promise<FetchedProgram> {
  return findProgram({ name: 'haproxy', packages: ['haproxy'], file: 'usr/sbin/haproxy', showVersion: '-v' })
}
