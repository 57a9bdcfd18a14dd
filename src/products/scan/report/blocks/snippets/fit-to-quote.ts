import { unseen } from '../../../site/addresses.ts'

/**
 * Whether a file of the site may stand in a message that its owner sends. The author of the file could otherwise write a part
 * of the message: its lines begin where ours do. What no reader can see could hide words or turn their direction.
 */
export function isFitToQuote(file: string): boolean {
  return !ours.test(file) && !unseen.test(file.replace(/\s/gu, ''))
}

/** How lines of a message begin. */
const ours =
  /^\s*(?:-{2,}\s*part\b|part \d|here the lines end|our answers|please (?:change|use|add|pass)|this part is for|what to do:|where it was seen|seen today|i shall have the site|put each answer|replace “|send this)/imu
