/** What the router must know of each command. A new command does not compile until it is here. */
import type { Command } from '../../actors/instance/commands.js'

/**
 * The command as it may be asked once more when nobody knows whether the first asking was carried out; null when it must not be.
 * For one that changes something outside of us and has no row of its own (joining a group, say) the answer is null, and its caller hears
 * OUTCOME_UNKNOWN. That nothing was sent is another matter: then any command is asked again.
 */
export function askedAgain(command: Command): Command | null {
  switch (command.type) {
    // Changes nothing.
    case 'status':
    case 'queueStatus':
    case 'checkNumbers':
    case 'chatDetails':
    case 'blocklist':
    case 'listGroups':
    case 'groupInfo':
    case 'inviteInfo':
      return command
    // Each leads to a state; the second finds it reached, or begun.
    case 'connect':
    case 'disconnect':
    case 'delete':
    case 'pause':
    case 'queueClear':
      return command
    // At worst one login more, and the caller wanted a new one.
    case 'reset':
      return command
    // A receipt for what was read already says nothing new.
    case 'markRead':
    case 'readChat':
      return command
    // The second finds what the first wrote, and tells nothing.
    case 'editLead':
      return command
    // Who rings hears of the first; of a call that is over nobody does.
    case 'rejectCall':
    // Saved twice it is as saved once.
    case 'saveContact':
      return command
    // The phone puts the file there once more.
    case 'renewMedia':
      return command
    // Each leads to a state; the second finds it reached.
    case 'setChat':
    case 'labelChat':
    case 'block':
    case 'setProfileName':
      return command
    // One that makes a label would make a second.
    case 'editLabel':
      return command.labelid === null ? null : command
    case 'editQuickReply':
      return command.id === null ? null : command
    // Each says the second time that it is done already, or does it twice.
    case 'deleteChat':
    case 'joinGroup':
    case 'createGroup':
    case 'createCommunity':
    case 'leaveGroup':
      return null
    // One that is linked already is refused the second time.
    case 'editCommunity':
      return null
    case 'inviteCode':
      return command.isReset ? null : command
    case 'changeGroup':
      return command.change.kind === 'members' ? null : command
    // What was shown has ended with its owner.
    case 'presence':
      return command
    // Under the same id it is the same to phones, and a message that is deleted or edited so already stays as it is.
    case 'revise':
      return command
    // By its message id; see `schemas/shard-moved.ts`.
    case 'send':
      return command.isRepeat ? command : { ...command, isRepeat: true }
    default:
      return neverCommand(command)
  }
}

/** How long the command itself asks its owner to wait before it does what it does. */
export function ownWaitMs(command: Command): number {
  switch (command.type) {
    case 'connect':
      return command.waitMs
    case 'send':
      // A longer delay is not waited for; a node of release 0.1.0 takes none above it.
      return Math.min(command.options.delayMs ?? 0, 300_000)
    case 'status':
    case 'disconnect':
    case 'delete':
    case 'pause':
    case 'reset':
    case 'markRead':
    case 'checkNumbers':
    case 'chatDetails':
    case 'readChat':
    case 'saveContact':
    case 'renewMedia':
    case 'setChat':
    case 'labelChat':
    case 'editLabel':
    case 'editQuickReply':
    case 'deleteChat':
    case 'block':
    case 'blocklist':
    case 'setProfileName':
    case 'listGroups':
    case 'groupInfo':
    case 'inviteInfo':
    case 'joinGroup':
    case 'createGroup':
    case 'createCommunity':
    case 'editCommunity':
    case 'leaveGroup':
    case 'inviteCode':
    case 'changeGroup':
    case 'presence':
    case 'rejectCall':
    case 'editLead':
    case 'revise':
    case 'queueStatus':
    case 'queueClear':
      return 0
    default:
      return neverCommand(command)
  }
}

function neverCommand(command: never): never {
  throw new Error(`An unknown command: ${JSON.stringify(command)}`)
}
