using System.Globalization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The headers that every answer from an emulator has.</summary>
internal static class Headers
{
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
