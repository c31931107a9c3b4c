/** How many frames a second the consoles draw, rounded. */
export const FrameRate = 59.7275;
