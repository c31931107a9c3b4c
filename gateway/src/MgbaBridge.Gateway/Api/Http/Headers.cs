using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Api.Http;

/// <summary>The headers that every answer from an emulator has.</summary>
internal static class Headers
{
    /// <summary>How many pixels a row of a raw picture has.</summary>
    public const string Width = "Mgba-Width";

    /// <summary>How many rows a raw picture has.</summary>
    public const string Height = "Mgba-Height";

    /// <summary>The script's frame count when the command ran.</summary>
    public const string Frame = "Mgba-Frame";

    /// <summary>The epoch when the command ran.</summary>
    public const string Epoch = "Mgba-Epoch";

    /// <summary>Says frame and epoch.</summary>
    public static void SetFrame(HttpResponse response, Reply reply) => SetFrame(response, reply.Frame, reply.Epoch);

    /// <summary>As above.</summary>
    public static void SetFrame(HttpResponse response, long frame, uint epoch)
    {
        response.Headers[Frame] = frame.ToString(CultureInfo.InvariantCulture);
        response.Headers[Epoch] = Text(epoch);
    }

    /// <summary>An epoch as text.</summary>
    public static string Text(uint epoch) => epoch.ToString("x8", CultureInfo.InvariantCulture);
}

/// <summary>What the caller has already, as <c>If-None-Match</c> says.</summary>
internal static class EntityTags
{
    /// <summary>Whether the caller has the version that this tag identifies.</summary>
    public static bool Has(HttpContext http, string tag)
    {
        var given = http.Request.Headers.IfNoneMatch;
        return given.Count > 0 && (given == "*" || given.ToString().Contains(tag, StringComparison.Ordinal));
    }
}
