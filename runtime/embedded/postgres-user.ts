/**
 * PostgreSQL refuses to run as root. As root it is therefore run in a user namespace, where it appears as another user while its
 * files stay root's; where namespaces are forbidden, as another user, to whom its folders are given.
 */
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, lchownSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../schemas/operator-error.js'
import { copyPostgres, type PostgresBinaries } from './postgres-binaries.js'

// Ours: files of the system.

export interface PostgresUser {
  /** How to start `program` as this user. */
  command(
    program: string,
    args: readonly string[],
  ): {
    program: string
    arguments: readonly string[]
    uid?: number
    gid?: number
  }
  /** Give a folder, and what is in it, to this user. */
  own(folder: string): void
}

const run = promisify(execFile)

const sameUser: PostgresUser = {
  command: (program, args) => ({ program, arguments: args }),
  own: () => undefined,
}

export const namespaceArguments = ['--user', '--map-user=1000', '--map-group=1000']

const namespaceUser: PostgresUser = {
  command: (program, args) => ({ program: 'unshare', arguments: [...namespaceArguments, program, ...args] }),
  own: () => undefined,
}

export interface PostgresProgram {
  readonly user: PostgresUser
  /** The given binaries, or a copy that the user can reach. */
  readonly binaries: PostgresBinaries
}

/**
 * Chooses the user that PostgreSQL runs as, and programs that this user can run.
 * @param dataFolder the data folder, which the other user must be able to reach
 * @param sockets the folder of the sockets, likewise
 * @param clusterFolder PostgreSQL's own folder, if it exists already: its owner stays the same
 * @throws OperatorError when root has no way to run PostgreSQL here
 */
export async function choosePostgresUser(
  dataFolder: string,
  sockets: string,
  clusterFolder: string,
  binaries: PostgresBinaries,
): Promise<PostgresProgram> {
  if (process.getuid?.() !== 0) return { user: sameUser, binaries }
  const { postgres, environment } = binaries
  const owner = statSync(clusterFolder, { throwIfNoEntry: false })
  const isOthers = owner !== undefined && owner.uid !== 0
  if (!isOthers && (await canRun('unshare', [...namespaceArguments, postgres, '--version'], environment))) {
    return { user: namespaceUser, binaries }
  }
  const { uid, gid } = isOthers ? owner : unprivilegedUser()
  const closed = closedAbove(dataFolder) ?? closedAbove(sockets, dataFolder)
  if (closed !== undefined)
    throw new OperatorError(
      `PostgreSQL does not run as root, and no other user can enter ${closed}; set DATA_DIR to a folder that every user can reach, such as /var/lib/posthorn, start the gateway as an ordinary user, or set DATABASE_URL to a PostgreSQL server.`,
    )
  chmodSync(dataFolder, 0o711)
  chmodSync(sockets, 0o711)
  for (const candidate of [() => binaries, () => copyPostgres(binaries, dataFolder)]) {
    const found = candidate()
    if (found !== undefined && (await canRun(found.postgres, ['--version'], found.environment, { uid, gid })))
      return { user: otherUser(uid, gid), binaries: found }
  }
  for (const folder of [dataFolder, sockets]) chmodSync(folder, 0o700)
  throw new OperatorError(
    `PostgreSQL does not run as root, and no other user can run ${postgres}; start the gateway as an ordinary user, or set DATABASE_URL to a PostgreSQL server.`,
  )
}

function otherUser(uid: number, gid: number): PostgresUser {
  return {
    command: (program, args) => ({ program, arguments: args, uid, gid }),
    own(folder) {
      chownSync(folder, uid, gid)
      for (const entry of readdirSync(folder, { recursive: true }))
        lchownSync(path.join(folder, String(entry)), uid, gid)
    },
  }
}

async function canRun(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  user: { uid?: number; gid?: number } = {},
): Promise<boolean> {
  try {
    await run(program, [...args], { env, cwd: '/', timeout: 20_000, ...user })
    return true
  } catch {
    return false
  }
}

/** Returns the first folder above `folder` that strangers cannot enter; `folder` itself, and `opened`, are ours to open. */
function closedAbove(folder: string, opened?: string): string | undefined {
  const exempt = opened === undefined ? undefined : realpathSync(opened)
  for (let parent = path.dirname(realpathSync(folder)); ; parent = path.dirname(parent)) {
    if (parent !== exempt && (statSync(parent).mode & 0o001) === 0) return parent
    if (parent === path.dirname(parent)) return undefined
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'node', 'nobody']) {
    const user = users.find((fields) => fields[0] === name)
    if (user !== undefined) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  return { uid: 65_534, gid: 65_534 }
}
