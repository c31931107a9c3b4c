using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/core</c>: save states and pictures.</summary>
internal static class CoreStatePaths
{
    private static readonly Parameter<StateFlags> SaveFlags = QueryParameters.Flags.Or(StateFlags.All);
    private static readonly Parameter<StateFlags> LoadFlags = QueryParameters.Flags.Or(StateFlags.DefaultForLoad);

    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map(
            HttpMethods.Post, "/core/savestateslot", "Saves a state to a slot.",
            Parameters.Of(QueryParameters.Slot, SaveFlags, static (slot, flags) => new StateSlot(StateMove.Save, slot, flags)), static _ => MgbaHttpAnswer.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/loadstateslot", "Loads a state from a slot.",
            Parameters.Of(QueryParameters.Slot, LoadFlags, static (slot, flags) => new StateSlot(StateMove.Load, slot, flags)), static _ => MgbaHttpAnswer.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/savestatefile", "Saves a state to a file.",
            Parameters.Of(QueryParameters.Path, SaveFlags, static (path, flags) => new StateFile(StateMove.Save, path, flags)), static _ => MgbaHttpAnswer.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/loadstatefile", "Loads a state from a file.",
            Parameters.Of(QueryParameters.Path, LoadFlags, static (path, flags) => new StateFile(StateMove.Load, path, flags)), static _ => MgbaHttpAnswer.True, "true");
        paths.MapBytes(
            HttpMethods.Post, "/core/savestatebuffer", "Returns a state as hex separated by commas, or as bytes for Accept: application/octet-stream.",
            Parameters.Of(SaveFlags, static flags => new SaveState(flags)), "d3,00,00,ea,66,00,00,ea,0c,00,00,ea,fe,ff,ff,ea");
        paths.Map(
            HttpMethods.Post, "/core/loadstatebuffer", "Loads a state from the body: hex in brackets as text/plain, or bytes as application/octet-stream.",
            Parameters.Of(LoadFlags, Parameter.Bytes("state", "The state."), static (flags, state) => new LoadState(state!.Value, flags)), static _ => MgbaHttpAnswer.True, "true",
            new Content("text/plain", null, "\"[d3,00,00,ea,66,00,00,ea,0c,00,00,ea,fe,ff,ff,ea]\""));
        paths.Map(
            "/core/screenshot", "Writes a screenshot to a PNG file, or returns it for Accept: image/png.",
            Parameters.Of(QueryParameters.Path, static path => new SaveScreen(path)), new ReadScreen());
    }
}
