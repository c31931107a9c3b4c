using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/core</c>: keys by number.</summary>
internal static class CoreKeyPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map(
            HttpMethods.Post, "/core/addkey", "Holds a key down.",
            QueryParameters.Key, static key => Change(KeyChange.Add, BitOf(key)), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/core/addkeys", "Holds keys down.",
            QueryParameters.KeyBitmask, static mask => Change(KeyChange.Add, Known(mask)), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/core/clearkey", "Lets a key go.",
            QueryParameters.Key, static key => Change(KeyChange.Clear, BitOf(key)), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/core/clearkeys", "Lets keys go.",
            QueryParameters.KeyBitmask, static mask => Change(KeyChange.Clear, Known(mask)), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/core/setkeys", "Holds exactly these keys down.",
            QueryParameters.Keys, static mask => Change(KeyChange.Set, Known(mask)), PlainText.Nothing);
        paths.Map(
            HttpMethods.Get, "/core/getkeys", "The keys that are down, added up.",
            new ReadKeys(), static (http, _, reply) => PlainText.WriteAsync(http, ReadKeys.ParseDown(reply).Mask), "12");
        paths.Map(
            HttpMethods.Get, "/core/getkey", "1 if a key is down, else 0.",
            QueryParameters.Key,
            static _ => new ReadKeys(), static (http, key, reply) => PlainText.WriteAsync(http, (ReadKeys.ParseDown(reply).Mask >> key) & 1), "1");
    }

    /// <summary>Responds when the change is visible, so that a following read sees it. This takes at most a frame; mGBA-http always takes one.</summary>
    internal static ChangeKeys Change(KeyChange change, KeySet keys) => new(change, keys, Wait: true);

    /// <summary>A number without a key presses nothing, as in mGBA.</summary>
    private static KeySet BitOf(int key) => Known(1 << key);

    private static KeySet Known(int mask) => new(mask & KeySet.All);
}
