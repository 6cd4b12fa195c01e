import type { FetchedProgram } from '../../runtime/embedded/debian-program.js'
import { findProgram } from './find-program.js'

/** Finds the PgBouncer to run. @throws what apt says when there is none */
export function findPgbouncer(): Promise<FetchedProgram> {
  return findProgram({
    name: 'pgbouncer',
    packages: ['pgbouncer'],
    file: 'usr/sbin/pgbouncer',
    showVersion: '--version',
  })
}
