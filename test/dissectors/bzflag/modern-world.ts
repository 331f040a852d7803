/**
 * A world as bzfs 2.4.26 sends it, made from a map with one of everything that a map may have: dynamic color, texture
 * matrix, materials, physics driver, transform, obstacles of each kind, a group and two of its instances (one with
 * other materials), link, water, weapon and zone.
 */
export const MODERN_WORLD = Buffer.from(
  `
    AApoZQABAAAKLgAAAp142rVWwW7TQBDdXTs4HBAcEHCjX9BQLkg5xHZ6IEjlI1olbZCaOHKM0t78FZzzEeWepD20InwBFw58ABIfAPvWu854
    bTcqUjaaZNb7ZnZm983EjDHOGHP6l+NOypgfMAyOHx+SstIgz3gggcquHpPhNKaT1mIwnGCufXHBssjcZHAxcigIsWFfn22kKkY/Lax78D8b
    JMFfOTpH6+9GgDM5IH87rm1z5oyOE4TKbK+2bPMa6qyQu3cSXcyOz8/1ssARvBgmyaTdah28fbf/Rn4OWsn+ZHyGhAxEjqr8HhpJfnG4gdFg
    OtzxHibbXacSR9Hprvco51FLOSX/Qzm10WR4OcWKKYjgw9MfKDQUUcXw+nE0Gw/62lwkMbjLqAdV90acQjFJ33rq4uuwp4vxy7df0IOb9Tp/
    qBakQb6Aca0X/TuycN0rxkgteLgnS4LkgryChZSfWQZ8eQ/AVXXEu/JR14bMzYmKlVRXtctZJTbGUZwMMevukSvRaASZX09jGn3OoKttUK6l
    cMGPC30uLer2vICdb54ZnVKhhhbc2v+lTbiqAgA1uLFXaXB1TqLCuRE349NzR80FI1TDCGkslIPhrZVnWsrFaMJwE9KQ8kg3fc5IEAbkUYKT
    IVCqz2g44e9MbIIpQlzlfy9NGC6lQsU6hVya9gbLmg0Or8rOdeQmzUbB2fKeaGEERwt5gIt04+hVgYrdXiZKnxC9l80pBoxuVjWpKl1UiHMW
    w6X7aTxNctqgpFd6p9fM8cm7g8VFbf6kXFDQUa7Gj0FoCzW1yV3X8e1qEU4pTdV+g4r3kK/uHyW6heI+tZH7EMLUheOp3tQ+hap6T/vEX2wQ
    7z+ahqZ6j+y8KkhBSojjhMy9qo6rRd+ZgJejrGr5P1vAWXgAAGVk
  `,
  "base64",
);
