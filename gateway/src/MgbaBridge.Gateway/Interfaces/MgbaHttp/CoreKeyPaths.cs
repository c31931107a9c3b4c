using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/core</c>: keys by number.</summary>
internal static class CoreKeyPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map("/core/addkey", "Holds a key down.", Parameters.Of(QueryParameters.Key, static key => Change(KeyChange.Add, BitOf(key))));
        paths.Map("/core/addkeys", "Holds keys down.", Parameters.Of(QueryParameters.KeyBitmask, static mask => Change(KeyChange.Add, Known(mask))));
        paths.Map("/core/clearkey", "Lets a key go.", Parameters.Of(QueryParameters.Key, static key => Change(KeyChange.Clear, BitOf(key))));
        paths.Map("/core/clearkeys", "Lets keys go.", Parameters.Of(QueryParameters.KeyBitmask, static mask => Change(KeyChange.Clear, Known(mask))));
        paths.Map("/core/setkeys", "Holds exactly these keys down.", Parameters.Of(QueryParameters.Keys, static mask => Change(KeyChange.Set, Known(mask))));
        paths.Map(
            HttpMethods.Get, "/core/getkeys", "The keys that are down, added up.", new ReadKeys(), static reply => MgbaHttpAnswer.Of(ReadKeys.ParseDown(reply).Mask), "12");
        paths.Map(
            HttpMethods.Get, "/core/getkey", "1 if a key is down, else 0.", Parameters.Of(QueryParameters.Key),
            static (invocation, key) => invocation.SendAsync(new ReadKeys(), reply => MgbaHttpAnswer.Of((ReadKeys.ParseDown(reply).Mask >> key) & 1)), "1");
    }

    /// <summary>Responds when the change is visible, so that a following read sees it. This takes at most a frame; mGBA-http always takes one.</summary>
    internal static ChangeKeys Change(KeyChange change, KeySet keys) => new(change, keys, Wait: true);

    /// <summary>A number without a key presses nothing, as in mGBA.</summary>
    private static KeySet BitOf(int key) => Known(1 << key);

    private static KeySet Known(int mask) => new(mask & KeySet.All);
}
