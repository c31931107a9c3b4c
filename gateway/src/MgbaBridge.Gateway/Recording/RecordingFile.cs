using System.Text.Json.Serialization.Metadata;

namespace MgbaBridge.Gateway.Recording;

/// <summary>How the lines of a recording are written.</summary>
public static class RecordingFile
{
    /// <summary>The first line.</summary>
    public static JsonTypeInfo<RecordingHeader> Header => RecordingJson.Default.RecordingHeader;

    /// <summary>The others.</summary>
    public static JsonTypeInfo<RecordingLine> Line => RecordingJson.Default.RecordingLine;
}
