using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/mgba-http/button</c>: keys by name, and presses that end by themselves.</summary>
internal static class ButtonPaths
{
    private const int TapFrames = 15;

    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths, PressWaiting waiting)
    {
        // 0 frames are the shortest press, as in mGBA-http
        TapKeys Tap(KeySet buttons, int frames) => new(buttons, frames == 0 ? 1 : frames, Gap: null, Wait: false, waiting);

        paths.Map(
            HttpMethods.Post, "/mgba-http/button/add", "Holds a button down.",
            QueryParameters.Button, static button => CoreKeyPaths.Change(KeyChange.Add, button), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/mgba-http/button/addmany", "Holds buttons down.",
            QueryParameters.Buttons, static buttons => CoreKeyPaths.Change(KeyChange.Add, buttons), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/mgba-http/button/clear", "Lets a button go.",
            QueryParameters.Button, static button => CoreKeyPaths.Change(KeyChange.Clear, button), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/mgba-http/button/clearmany", "Lets buttons go.",
            QueryParameters.Buttons, static buttons => CoreKeyPaths.Change(KeyChange.Clear, buttons), PlainText.Nothing);
        paths.Map(
            HttpMethods.Get, "/mgba-http/button/get", "1 if a button is down, else 0.",
            QueryParameters.Button,
            static _ => new ReadKeys(),
            static (http, button, reply) => PlainText.WriteAsync(http, (ReadKeys.ParseDown(reply).Mask & button.Mask) == 0 ? 0 : 1), "1");
        paths.Map(
            HttpMethods.Get, "/mgba-http/button/getall", "The buttons that are down, with commas between.",
            new ReadKeys(), PlainText.Text(static reply => NamesOf(ReadKeys.ParseDown(reply))), "A,B,Start");
        paths.Map(
            HttpMethods.Post, "/mgba-http/button/tap", "Presses a button for 15 frames.",
            QueryParameters.Button, button => Tap(button, TapFrames), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/mgba-http/button", "Presses a button for 15 frames, as mGBA-http 0.1 has it.",
            QueryParameters.Button, button => Tap(button, TapFrames), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/mgba-http/button/tapmany", "Presses buttons together for 15 frames.",
            QueryParameters.Buttons, buttons => Tap(buttons, TapFrames), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/mgba-http/button/hold", "Presses a button for some frames.",
            QueryParameters.Button, QueryParameters.Duration, Tap, PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/mgba-http/button/holdmany", "Presses buttons together for some frames.",
            QueryParameters.Buttons, QueryParameters.Duration, Tap, PlainText.Nothing);
    }

    /// <summary>mGBA-http's script lists them in the order of a Lua table; a real server was seen to list them from the last to the first.</summary>
    private static string NamesOf(KeySet keys) =>
        string.Join(',', Enumerable.Range(0, KeySet.Names.Length).Reverse().Where(key => ((keys.Mask >> key) & 1) != 0).Select(key => KeySet.Names[key]));
}

/// <summary>A key by its name, numbered as the console does.</summary>
internal enum Button
{
    A,
    B,
    Select,
    Start,
    Right,
    Left,
    Up,
    Down,
    R,
    L,
}
