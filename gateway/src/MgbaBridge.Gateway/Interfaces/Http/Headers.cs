using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>The headers that every answer from an emulator has.</summary>
internal static class Headers
{
    /// <summary>How many pixels a row of a raw picture has.</summary>
    public const string Width = "Mgba-Width";

    /// <summary>How many rows a raw picture has.</summary>
    public const string Height = "Mgba-Height";

    /// <summary>How many times a video continues from a kept state, because the game showed something else.</summary>
    public const string Deviations = "Mgba-Deviations";

    /// <summary>The script's frame count when the command ran.</summary>
    public const string Frame = "Mgba-Frame";

    /// <summary>The epoch when the command ran.</summary>
    public const string EpochHeader = "Mgba-Epoch";

    /// <summary>Says frame and epoch, unless it is a failure without them.</summary>
    public static void SetFrame(HttpResponse response, Reply reply)
    {
        if (reply.Frame > 0 || reply.Failure is null)
        {
            SetFrame(response, reply.Frame, reply.Epoch);
        }
    }

    /// <summary>As above.</summary>
    public static void SetFrame(HttpResponse response, long frame, Epoch epoch)
    {
        response.Headers[Frame] = frame.ToString(CultureInfo.InvariantCulture);
        response.Headers[EpochHeader] = epoch.ToString();
    }
}

/// <summary>What the caller has already, as <c>If-None-Match</c> says.</summary>
internal static class EntityTags
{
    /// <summary>The tags of what the caller has; null for none.</summary>
    public static string? Of(HttpContext http) => http.Request.Headers.IfNoneMatch is { Count: > 0 } tags ? tags.ToString() : null;

    /// <summary>Whether the caller has the version that this tag identifies.</summary>
    public static bool Has(string known, string tag) => known == "*" || known.Contains(tag, StringComparison.Ordinal);
}
