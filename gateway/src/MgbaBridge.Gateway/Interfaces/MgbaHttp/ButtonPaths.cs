using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

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

        TapKeys TapShortly(KeySet buttons) => Tap(buttons, TapFrames);

        var (button, buttons) = (QueryParameters.Button, QueryParameters.Buttons);
        paths.Map("/mgba-http/button/add", "Holds a button down.", Parameters.Of(button, static keys => CoreKeyPaths.Change(KeyChange.Add, keys)));
        paths.Map("/mgba-http/button/addmany", "Holds buttons down.", Parameters.Of(buttons, static keys => CoreKeyPaths.Change(KeyChange.Add, keys)));
        paths.Map("/mgba-http/button/clear", "Lets a button go.", Parameters.Of(button, static keys => CoreKeyPaths.Change(KeyChange.Clear, keys)));
        paths.Map("/mgba-http/button/clearmany", "Lets buttons go.", Parameters.Of(buttons, static keys => CoreKeyPaths.Change(KeyChange.Clear, keys)));
        paths.Map(
            HttpMethods.Get, "/mgba-http/button/get", "1 if a button is down, else 0.", Parameters.Of(button),
            static (invocation, keys) => invocation.SendAsync(new ReadKeys(), reply => MgbaHttpAnswer.Of((ReadKeys.ParseDown(reply).Mask & keys.Mask) == 0 ? 0 : 1)), "1");
        paths.Map(
            HttpMethods.Get, "/mgba-http/button/getall", "The buttons that are down, with commas between.",
            new ReadKeys(), static reply => MgbaHttpAnswer.OfText(NamesOf(ReadKeys.ParseDown(reply))), "A,B,Start");
        paths.Map("/mgba-http/button/tap", "Presses a button for 15 frames.", Parameters.Of(button, TapShortly));
        paths.Map("/mgba-http/button", "Presses a button for 15 frames, as mGBA-http 0.1 has it.", Parameters.Of(button, TapShortly));
        paths.Map("/mgba-http/button/tapmany", "Presses buttons together for 15 frames.", Parameters.Of(buttons, TapShortly));
        paths.Map("/mgba-http/button/hold", "Presses a button for some frames.", Parameters.Of(button, QueryParameters.Duration, Tap));
        paths.Map("/mgba-http/button/holdmany", "Presses buttons together for some frames.", Parameters.Of(buttons, QueryParameters.Duration, Tap));
    }

    /// <summary>mGBA-http's script lists them in the order of a Lua table; a real server was seen to list them from the last to the first.</summary>
    private static string NamesOf(KeySet keys) =>
        string.Join(',', Enumerable.Range(0, KeySet.Names.Length).Reverse().Where(key => ((keys.Mask >> key) & 1) != 0).Select(key => KeySet.Names[key]));
}
