/** The nice value of threads that make load: what they take must not be taken from the gateway. */
export const lowPriority = 10
